// excess logic, incorrect output
/* Read a cookie header, such as 'id=7; theme=dark', as an object. Spaces around names and values do not count,
  and a value may have '=' in it.
  >>> parsedCookies('id=7; theme=dark')
  { id: '7', theme: 'dark' }
  >>> parsedCookies('token=a=b')
  { token: 'a=b' }
  */
const parsedCookies = (header) => {
  const cookies = {};
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0) {
      cookies[part.slice(0, at).trim()] = part.slice(at + 1).trim();
      // bug: cookies[part.slice(0, at).trim()] = part.slice(at + 1).trim().split('=')[0];
    }
  }
  return cookies;
}

const testParsedCookies = () => {
  console.assert(JSON.stringify(parsedCookies('id=7; theme=dark')) === '{"id":"7","theme":"dark"}')
  console.assert(JSON.stringify(parsedCookies('')) === '{}')
  console.assert(JSON.stringify(parsedCookies('token=a=b==')) === '{"token":"a=b=="}')
  console.assert(JSON.stringify(parsedCookies(' x = 1 ;y=')) === '{"x":"1","y":""}')
  console.assert(JSON.stringify(parsedCookies('junk; a=1')) === '{"a":"1"}')
  console.assert(JSON.stringify(parsedCookies('=1;b=2')) === '{"b":"2"}')
}
