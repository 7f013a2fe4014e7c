/** Whether two words are one slip apart: a letter too many, too few, wrong, or two swapped. */
export function isOneSlip(first: string, second: string): boolean {
  if (first === second) return false;
  const [a, b] = first.length >= second.length ? [first, second] : [second, first];
  let at = 0;
  while (at < b.length && a[at] === b[at]) at += 1;
  if (a.length - b.length === 1) return a.slice(at + 1) === b.slice(at);
  if (a.length !== b.length) return false;
  const isSwap = a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
  return isSwap || a.slice(at + 1) === b.slice(at + 1);
}

// prettier-ignore
const MAIL_HOSTS = [
  'gmail.com', 'googlemail.com', 'hotmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'proton.me', 'protonmail.com',
  'gmx.de', 'gmx.net', 'web.de', 't-online.de', 'live.com', 'aol.com', 'uol.com.br', 'bol.com.br', 'terra.com.br',
  'yahoo.com.br', 'yahoo.co.jp', 'yahoo.es', 'hotmail.es', 'outlook.de', 'outlook.es', 'docomo.ne.jp', 'ezweb.ne.jp',
] as const;
/** A slip away from another, and mail hosts all the same. */
const ALSO_MAIL_HOSTS = [
  'mail.com',
  'ymail.com',
  'email.com',
  'me.com',
  'gmx.at',
  'gmx.ch',
  'gmx.com',
  'hotmail.de',
  'live.de',
];

/** People have addresses at these hosts; nobody means the host itself. */
export function isMailHost(host: string): boolean {
  return MAIL_HOSTS.some((one) => one === host.toLowerCase());
}

/** The mail host that was probably meant; null for one that looks as it should. */
export function meantMailHost(host: string): string | null {
  const typed = host.toLowerCase();
  const isKnown = [...MAIL_HOSTS, ...ALSO_MAIL_HOSTS].includes(typed);
  const near = MAIL_HOSTS.find((one) => isOneSlip(one, typed) || one.split('.')[0] === typed);
  const known = isKnown ? null : (near ?? null);
  return known ?? (/\.(?:con|cmo|ocm|vom|xom|coom|comm)$/.test(typed) ? typed.replace(/\.[a-z]+$/, '.com') : null);
}
