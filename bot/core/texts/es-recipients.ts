import { line, strong } from '../../../core/view.ts';
import type { recipientsEn } from './en-recipients.ts';

export const recipientsEs: typeof recipientsEn = {
  selfTip: (name) => line`${strong(name)} eres tú. Envíalo a otra persona:`,
  ownBotTip: () => line`Ese soy yo, y no necesito propinas. Envíala a otra persona:`,
  botTip: (name) => line`${strong(name)} es un bot, y los bots no pueden recoger dinero. Envíalo a una persona:`,
};
