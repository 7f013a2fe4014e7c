import type { SignInTexts } from './en.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';

export const signInJa: SignInTexts = {
  eyebrow: 'ログイン',
  title: 'ログインして、お預かりしているお金を見る',
  lead: '受け取ったときと同じ方法で、ご本人であることを示してください。',
  whatFor: 'お預かりしているお金を表示するだけで、何も動きません。',
  confirm: '開く',
  shows:
    'お預かりしているお金が表示されます。ほかのログイン先にはこのログインが表示され、そこから終了することもできます。',
  unseenTitle: 'まだ見ることはできません',
  unseen: (time) =>
    `この名前は半年間使われていなかったため、持ち主が変わった可能性があります。このブラウザで保管されているお金を見たり送ったりできるのは ${time} からです。以前から保管している場所では、今すぐできます。`,
  waitsTitle: '今は表示だけできます',
  waits: (time) =>
    `このブラウザから送ったり引き出したりできるのは${time}からです。以前から保管している場所では、今すぐできます。`,
  waitsGuarded: (time) =>
    `パスキーで保護されています。パスキーでログインすると、すぐに送れます。パスキーなしで引き出せるのは${time}からで、さらに ${WITHOUT_PASSKEY_HOURS} 時間かかります。`,
};
