import { render } from 'preact';
import { App } from './app.tsx';
import { sourceOf } from './data/source.ts';

const page = document.getElementById('page');
if (page !== null) {
  page.replaceChildren();
  render(<App source={sourceOf(document)} />, page);
}
