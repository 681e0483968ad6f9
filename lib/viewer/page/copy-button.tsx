import { useState } from 'preact/hooks';

/** Copies a text to the clipboard; pages opened as files may only use the older API. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const [words, setWords] = useState('Copy');
  const copy = async () => {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => copyFromField(text),
    );
    setWords(isCopied ? 'Copied' : 'Not allowed');
    setTimeout(() => setWords('Copy'), 2000);
  };
  return (
    <button type="button" class="copy quiet" aria-label={`Copy ${name}`} onClick={copy}>
      {words}
    </button>
  );
}

function copyFromField(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  return isCopied;
}
