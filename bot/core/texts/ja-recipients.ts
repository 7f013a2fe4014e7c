import { line, strong } from '../../../core/view.ts';
import type { recipientsEn } from './en-recipients.ts';

export const recipientsJa: typeof recipientsEn = {
  selfTip: (name) => line`${strong(name)} はあなた自身です。ほかの人に送ってください。`,
  ownBotTip: () => line`それは私です。チップはいりませんので、ほかの人に送ってください。`,
  botTip: (name) => line`${strong(name)} はボットなので、お金を受け取れません。人に送ってください。`,
};
