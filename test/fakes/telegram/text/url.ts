/** Which links Telegram takes. It refuses hosts without a dot, so a link to `localhost` works nowhere but in a browser. */
export function isAcceptableUrl(url: string): boolean {
  if (/^(?:tg|ton|tonsite):\/\/\S+$/.test(url)) return true;
  const withScheme = /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `http://${url}`;
  if (/\s/.test(url) || !URL.canParse(withScheme)) return false;
  const { protocol, hostname } = new URL(withScheme);
  return (protocol === 'http:' || protocol === 'https:') && hostname.includes('.');
}
