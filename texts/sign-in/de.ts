import type { SignInTexts } from './en.ts';

export const signInDe: SignInTexts = {
  eyebrow: 'Anmelden',
  title: 'Bei aufbewahrtem Geld anmelden',
  lead: 'Zeige auf dieselbe Weise wie beim Abholen, wem das Geld gehört.',
  whatFor: 'So siehst du, was hier aufbewahrt wird. Es wird nichts bewegt.',
  confirm: 'Öffnen',
  shows:
    'Du siehst, was hier für dich aufbewahrt wird. Hast du es in einem anderen Browser behalten, kannst du hier erst nach einer Wartezeit senden und auszahlen; die nächste Seite nennt sie. An deinen anderen Orten sieht man, dass du dich angemeldet hast.',
};
