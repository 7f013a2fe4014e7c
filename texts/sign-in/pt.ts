import type { SignInTexts } from './en.ts';

export const signInPt: SignInTexts = {
  eyebrow: 'Entrar',
  title: 'Entrar no dinheiro guardado aqui',
  lead: 'Mostre de quem é o dinheiro do mesmo jeito que ao receber.',
  whatFor: 'Isso mostra o que está guardado aqui. Nada é movido.',
  confirm: 'Abrir',
  shows:
    'Você vê o que está guardado aqui para você. Se foi guardado em outro navegador, aqui só dá para enviar e sacar depois de uma espera, que a próxima página informa, e nos seus outros lugares aparece que você entrou.',
};
