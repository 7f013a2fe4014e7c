import type { SignInTexts } from './en.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';

export const signInPt: SignInTexts = {
  eyebrow: 'Entrar',
  title: 'Entrar para ver o dinheiro guardado aqui',
  lead: 'Mostre que o dinheiro é seu, do mesmo jeito que ao resgatá-lo.',
  whatFor: 'Isto mostra o que está guardado aqui. Nada é movido.',
  confirm: 'Abrir',
  shows: 'Você vê o que está guardado aqui. Seus outros navegadores e chats mostram este acesso e podem encerrá-lo.',
  unseenTitle: 'Você poderá ver mais tarde',
  unseen: (time) =>
    `Este nome ficou seis meses sem uso aqui, então ele pode ter um novo dono. Deste navegador você poderá ver e enviar o que está guardado para ele a partir de ${time}. Onde já estava guardado antes, isso é possível agora.`,
  waitsTitle: 'Ver agora, enviar depois',
  waits: (time) =>
    `Neste navegador dá para enviar e sacar a partir de ${time}. Onde já estava guardado antes, isso é possível agora.`,
  waitsGuarded: (time) =>
    `Com a chave de acesso você envia na hora. Sem ela, peça um saque a partir de ${time}; ele leva ${WITHOUT_PASSKEY_HOURS} horas.`,
};
