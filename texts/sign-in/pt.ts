import type { SignInTexts } from './en.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';

export const signInPt: SignInTexts = {
  eyebrow: 'Entrar',
  title: 'Entrar para ver o dinheiro guardado aqui',
  lead: 'Mostre de quem é o dinheiro do mesmo jeito que ao resgatá-lo.',
  whatFor: 'Isso mostra o que está guardado aqui. Nada é movido.',
  confirm: 'Abrir',
  shows:
    'Você vê o que está guardado aqui para você. Nos seus outros lugares aparece que você entrou, e dá para encerrar este acesso.',
  unseenTitle: 'Você poderá ver mais tarde',
  unseen: (time) =>
    `Ninguém usou este nome aqui por meio ano, então ele pode ter um novo dono. Deste navegador você poderá ver e enviar o que está guardado para ele a partir de ${time}. Onde já estava guardado antes, isso é possível agora.`,
  waitsTitle: 'Ver agora, enviar depois',
  waits: (time) =>
    `Neste navegador dá para enviar e sacar a partir de ${time}. Onde já estava guardado antes, isso é possível agora.`,
  waitsGuarded: (time) =>
    `Com sua chave de acesso você envia na hora. Sem ela, sacar a partir de ${time} leva ${WITHOUT_PASSKEY_HOURS} horas.`,
};
