import type { SignInTexts } from './en.ts';

export const signInDe: SignInTexts = {
  eyebrow: 'Anmelden',
  title: 'Bei aufbewahrtem Geld anmelden',
  lead: 'Zeige auf dieselbe Weise wie beim Abholen, wem das Geld gehört.',
  whatFor: 'So siehst du, was hier aufbewahrt wird. Es wird nichts bewegt.',
  confirm: 'Öffnen',
  shows:
    'Du siehst, was hier für dich aufbewahrt wird. An deinen anderen Orten sieht man, dass du dich angemeldet hast.',
  unseenTitle: 'Du siehst es erst später',
  unseen: (time) =>
    `Ein halbes Jahr lang hat niemand diesen Namen hier benutzt, er könnte also jemand Neuem gehören. Aus diesem Browser kannst du ab ${time} ansehen und senden, was dafür aufbewahrt wird. Wo schon vorher etwas behalten wurde, geht das sofort; dort sieht man diese Anmeldung und kann sie beenden.`,
  waitsTitle: 'Ansehen geht sofort, senden später',
  waits: (time) =>
    `Aus diesem Browser kannst du ab ${time} senden und auszahlen. Wo schon vorher etwas behalten wurde, geht beides sofort; dort sieht man diese Anmeldung und kann sie beenden.`,
};
