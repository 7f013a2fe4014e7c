import type { SignInTexts } from './en.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';

export const signInJa: SignInTexts = {
  eyebrow: 'ログイン',
  title: 'ログインして、お預かりしているお金を見る',
  lead: '受け取ったときと同じ方法で、ご本人であることを示してください。',
  whatFor: 'お預かりしているお金を表示するだけで、お金は動きません。',
  confirm: '開く',
  shows:
    'お預かりしているお金が表示されます。ほかのログイン先にはこのログインが表示され、そこから終了することもできます。',
  unseenTitle: 'まだ見ることはできません',
  unseen: (time) =>
    `この名前はここで半年間使われていなかったため、持ち主が変わった可能性があります。保管されているお金をこのブラウザで見たり送ったりできるのは ${time} からです。以前から保管しているブラウザやチャットでは、今すぐできます。`,
  waitsTitle: 'すぐに見られますが、送れるのは後です',
  waits: (time) =>
    `このブラウザから送金や出金ができるのは ${time} からです。以前から保管しているブラウザやチャットでは、今すぐできます。`,
  waitsGuarded: (time) =>
    `パスキーで保護されています。パスキーでログインすると、すぐに送れます。パスキーなしで出金を依頼できるのは ${time} からで、実際の出金はさらに ${WITHOUT_PASSKEY_HOURS} 時間後です。`,
};
