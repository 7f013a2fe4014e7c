import { formatUsdcForPeople, type MicroUsdc } from '../../../core/money.ts';
import { code, line, strong, type Span } from '../../../core/view.ts';
import type { Texts } from './en.ts';
import { accountPt } from './pt-account.ts';
import { failuresPt } from './pt-failures.ts';
import { helpPt } from './pt-help.ts';
import { limitsPt } from './pt-limits.ts';
import { mistakesPt } from './pt-mistakes.ts';
import { pagePt } from './pt-page.ts';
import { payLinkPt, payPagePt } from './pt-pay-page.ts';
import { recipientsPt } from './pt-recipients.ts';
import { rewardsPt } from './pt-rewards.ts';
import { settingsPt } from './pt-settings.ts';
import { severalPt } from './pt-several.ts';
import { summaryPt } from './pt-summary.ts';
import { treasuryPt } from './pt-treasury.ts';
import { walletPagePt } from './pt-wallet-page.ts';
import { walletsPt } from './pt-wallets.ts';
import { withdrawalsPt } from './pt-withdrawals.ts';

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);
const fromWallet = (name: string | null): string => (name === null ? '' : ` com o que você guardou como ${name}`);
const withFee = (fee: MicroUsdc): string => (fee === 0n ? '' : ` (mais ${formatUsdcForPeople(fee)} USDC de taxa)`);

/** Everything the bot says, in the Portuguese of Brazil, to somebody it calls "você". */
export const textsPt: Texts = {
  ...accountPt,
  ...failuresPt,
  ...helpPt,
  ...limitsPt,
  ...mistakesPt,
  ...recipientsPt,
  ...rewardsPt,
  ...settingsPt,
  ...severalPt,
  ...summaryPt,
  ...treasuryPt,
  ...walletsPt,
  ...withdrawalsPt,
  ...payLinkPt,
  page: pagePt,
  payPage: payPagePt,
  walletPage: walletPagePt,

  thinking: () => line`Um momento…`,
  askingPrice: () => line`Perguntando o preço…`,
  paying: ({ amount, fee, recipient, walletName }) =>
    line`Pagando ${usdc(amount)} para ${strong(recipient)}${withFee(fee)}${fromWallet(walletName)}…`,
  stillPaying: ({ amount, recipient }) =>
    line`Ainda pagando ${usdc(amount)} para ${strong(recipient)}. Não há como cobrar duas vezes.`,
  payingLater: ({ amount, recipient }) => [
    line`Pagar ${usdc(amount)} para ${strong(recipient)} está demorando mais que o normal.`,
    line`Você pode fechar isto: eu continuo tentando e digo aqui como terminou. Não há como cobrar duas vezes.`,
  ],
  sent: ({ amount, fee, recipient, walletName }) =>
    line`Enviei ${usdc(amount)} para ${strong(recipient)}${withFee(fee)}${fromWallet(walletName)}.`,

  getPlayMoney: () => 'Pegar mais dinheiro de teste',
  tryAgain: () => 'Tentar de novo',

  help: (isPlayMoney) => [
    line`Envie de 0.01 a 10 USDC para qualquer pessoa pelo nome que ela já usa.`,
    line`${code('/tip @x:alice 1')} envia 1 USDC para alice no X. O que você escrever depois vira um recado.`,
    line`Nomes que funcionam: ${code('x:alice')}, ${code('farcaster:alice')}, ${code('github:alice')}, ${code('alice@example.com')}, ${code('example.com')} ou o link de um perfil.`,
    line`Valores: ${code('1')}, ${code('0.5')}, ${code('50c')}, ${code('half')} (metade), ${code('all')} (tudo).`,
    line`${code('/balance')} mostra o que você tem; ${code('/deposit')}, como ${isPlayMoney ? 'pegar mais dinheiro de teste' : 'adicionar dinheiro'}; ${code('/wallet')}, o que você resgatou e guarda aqui.`,
    line`${code('/withdraw')} envia para um endereço seu.`,
  ],
  unknown: () => line`Não entendi. Veja o que eu posso fazer:`,

  gettingPlayMoney: () => line`Pegando dinheiro de teste para você…`,
  welcome: (amount) => line`Boas-vindas! Você tem ${usdc(amount)} de teste para enviar.`,
  gotPlayMoney: (amount) => line`Pronto. Agora você tem ${usdc(amount)} de teste.`,
  noPlayMoney: () => line`Não consegui pegar dinheiro de teste para você agora.`,

  nothingToSend: (amount) =>
    amount === 0n
      ? line`Ainda não há nada para enviar. ${code('/deposit')} mostra como adicionar dinheiro.`
      : line`Você tem ${usdc(amount)}, e a menor gorjeta é de ${strong('0.01 USDC')}. ${code('/deposit')} mostra como adicionar dinheiro.`,
  tooMuchAtOnce: (amount) => line`Seriam ${usdc(amount)}, e uma gorjeta é de no máximo ${strong('10 USDC')}.`,
  buttonIsOver: () => line`Esse botão já fez o trabalho dele. Digite o comando de novo para ter outro.`,
  somethingWrong: () => line`Algo deu errado do meu lado, e nada foi cobrado. Tente de novo.`,
};
