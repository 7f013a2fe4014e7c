import type { SignInTexts } from './en.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';

export const signInPt: SignInTexts = {
  eyebrow: 'Entrar',
  title: 'Entrar para ver o dinheiro guardado aqui',
  lead: 'Mostre que o dinheiro é seu, do mesmo jeito que ao resgatá-lo.',
  whatFor: 'Isto só mostra o que está guardado aqui. Nenhum dinheiro é movido.',
  confirm: 'Abrir',
  shows:
    'Você vê o que está guardado aqui para você. Nos seus outros navegadores e chats aparece que você entrou, e de lá dá para encerrar este acesso.',
  unseenTitle: 'Você poderá ver mais tarde',
  unseen: (time) =>
    `Este nome ficou seis meses sem uso aqui, então ele pode ter um novo dono. Deste navegador você poderá ver e enviar o que está guardado para ele a partir de ${time}. Nos navegadores e chats que já o guardavam antes, isso é possível agora.`,
  waitsTitle: 'Ver agora, enviar depois',
  waits: (time) =>
    `Neste navegador dá para enviar e sacar a partir de ${time}. Nos navegadores e chats que já o guardavam antes, isso é possível agora.`,
  waitsGuarded: (time) =>
    `Com a chave de acesso deste dinheiro você pode enviar na hora. Sem ela, peça um saque a partir de ${time}; ele leva ${WITHOUT_PASSKEY_HOURS} horas.`,
};
