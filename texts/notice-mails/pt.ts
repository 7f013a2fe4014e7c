import { HOLDER_WAIT_HOURS, WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';
import type { NoticeMailTexts } from './en.ts';
import { goingBackPt } from '../going-back/pt.ts';

export const noticeMailPt: NoticeMailTexts = {
  locale: 'pt-BR',
  waits: {
    subject: (sum) => `${sum} esperam por você`,
    again: (sum) => `${sum} ainda esperam por você`,
    lead: ({ to, sum, from, on }) =>
      `${from ?? 'Alguém'} enviou ${sum} em USDC, um dólar digital, para ${to}. O dinheiro espera por você. ${goingBackPt.sentence({ if: 'you_do_nothing', to: 'sender', on })}`,
    button: 'Ver o dinheiro',
    first: 'Não custa nada. Lembraremos você uma vez antes que ele volte e depois não escreveremos mais.',
    only: 'Não custa nada. Este é o único e-mail sobre isso.',
    last: 'Este é o único lembrete.',
    never: 'Não quer nunca mais receber um e-mail assim? Um clique:',
  },
  address: {
    subject: 'Seu dinheiro está prestes a ir para outro endereço',
    lead: (to, from) =>
      `Alguém que pode ler os e-mails de ${to} pediu que enviássemos o dinheiro para outro endereço. A partir de ${from} ele vai para cá:`,
    before: 'Até lá ele vai, como antes, para cá:',
    fine: 'Se foi você que pediu, não há nada a fazer.',
    stop: (from) =>
      `Se não foi, você pode interromper até ${from}: resgate mais uma vez, nesta página, e escolha o lugar para onde ele vai agora. Depois troque a senha da sua caixa de e-mail, porque outra pessoa pode ler seus e-mails.`,
    button: 'Interromper nesta página',
  },
  purse: {
    subject: 'Algo vai mudar com o seu dinheiro',
    holder: (to, at, isGuarded) =>
      isGuarded
        ? `Alguém acessou, em outro navegador ou chat, o dinheiro guardado para ${to}. A partir de ${at} será possível pedir um saque de lá, que sem a chave de acesso leva mais ${WITHOUT_PASSKEY_HOURS} horas.`
        : `Alguém acessou, em outro navegador ou chat, o dinheiro guardado para ${to}. A partir de ${at} ele poderá ser enviado de lá.`,
    passkeyAdded: (to, at) =>
      `Uma chave de acesso foi adicionada ao dinheiro guardado para ${to}. A partir de ${at} ela será usada para enviar e sacar.`,
    passkeyEnds: (to, at) => `Uma chave de acesso do dinheiro guardado para ${to} será removida. Ela vale até ${at}.`,
    leaves: (to, sum, at) => `${sum} do dinheiro guardado para ${to} serão sacados em ${at}.`,
    leavesNow: (to, sum, at) =>
      `${sum} do dinheiro guardado para ${to} estão sendo sacados. A partir de ${at} qualquer valor poderá sair na hora para o mesmo lugar.`,
    fine: 'Se foi você, não há nada a fazer.',
    stop: 'Se não foi você, cancele aqui:',
    button: 'Não fui eu: cancelar',
    why: `Para dar tempo de cancelar, uma mudança assim espera ${HOLDER_WAIT_HOURS} horas ou mais. Enviamos este aviso a todos que têm acesso a esse dinheiro.`,
  },
  closing: {
    subject: 'Este serviço está encerrando: saque seu dinheiro',
    lead: (to, sum) =>
      `Este serviço está encerrando. Ainda há aqui ${sum} guardados para ${to}. Saque o dinheiro, por favor, para um endereço seu.`,
    free: 'Não custa nada. Você entra com um código que enviamos por e-mail.',
    button: 'Sacar',
  },
};
