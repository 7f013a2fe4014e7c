import { line, strong } from '../../../core/view.ts';
import type { recipientsEn } from './en-recipients.ts';

export const recipientsPt: typeof recipientsEn = {
  selfTip: (name) => line`${strong(name)} é você. Envie para outra pessoa:`,
  ownBotTip: () => line`Esse sou eu, e não preciso de gorjetas. Envie para outra pessoa:`,
  botTip: (name) => line`${strong(name)} é um bot, e bots não podem resgatar dinheiro. Envie para uma pessoa:`,
};
