import type { SignInTexts } from './en.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';

export const signInDe: SignInTexts = {
  eyebrow: 'Anmelden',
  title: 'Anmelden, um hier aufbewahrtes Geld zu sehen',
  lead: 'Zeige auf dieselbe Weise wie beim Abholen, wem das Geld gehört.',
  whatFor: 'So siehst du, was hier aufbewahrt wird. Es wird nichts bewegt.',
  confirm: 'Öffnen',
  shows:
    'Du siehst, was hier für dich aufbewahrt wird. An deinen anderen Orten sieht man diese Anmeldung und kann sie beenden.',
  unseenTitle: 'Du siehst es erst später',
  unseen: (time) =>
    `Ein halbes Jahr lang hat niemand diesen Namen hier benutzt, er könnte also jemand Neuem gehören. Aus diesem Browser kannst du ab ${time} ansehen und senden, was dafür aufbewahrt wird. Wo schon vorher etwas aufbewahrt wurde, geht das sofort.`,
  waitsTitle: 'Ansehen geht sofort, senden später',
  waits: (time) =>
    `Aus diesem Browser kannst du es ab ${time} senden und auszahlen. Wo es schon vorher aufbewahrt wurde, geht beides sofort.`,
  waitsGuarded: (time) =>
    `Mit dem Passkey kannst du es sofort senden. Ohne ihn kannst du es ab ${time} auszahlen; das dauert ${WITHOUT_PASSKEY_HOURS} Stunden.`,
};
