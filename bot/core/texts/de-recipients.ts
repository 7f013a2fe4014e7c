import { line, strong } from '../../../core/view.ts';
import type { recipientsEn } from './en-recipients.ts';

export const recipientsDe: typeof recipientsEn = {
  selfTip: (name) => line`${strong(name)} bist du selbst. Schick es jemand anderem:`,
  ownBotTip: () => line`Das bin ich, und ich brauche kein Trinkgeld. Schick es jemand anderem:`,
  botTip: (name) => line`${strong(name)} ist ein Bot, und Bots können kein Geld abholen. Schick es einem Menschen:`,
};
