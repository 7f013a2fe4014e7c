import { formatUsdcForPeople, type MicroUsdc } from '../../../core/money.ts';
import { code, line, strong, type Span } from '../../../core/view.ts';
import type { Texts } from './en.ts';
import { accountEs } from './es-account.ts';
import { failuresEs } from './es-failures.ts';
import { helpEs } from './es-help.ts';
import { limitsEs } from './es-limits.ts';
import { mistakesEs } from './es-mistakes.ts';
import { pageEs } from './es-page.ts';
import { payLinkEs, payPageEs } from './es-pay-page.ts';
import { recipientsEs } from './es-recipients.ts';
import { rewardsEs } from './es-rewards.ts';
import { settingsEs } from './es-settings.ts';
import { severalEs } from './es-several.ts';
import { summaryEs } from './es-summary.ts';
import { treasuryEs } from './es-treasury.ts';
import { walletPageEs } from './es-wallet-page.ts';
import { walletsEs } from './es-wallets.ts';
import { withdrawalsEs } from './es-withdrawals.ts';

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);
const fromWallet = (name: string | null): string => (name === null ? '' : ` con lo que guardaste como ${name}`);
const withFee = (fee: MicroUsdc): string => (fee === 0n ? '' : ` (más ${formatUsdcForPeople(fee)} USDC de comisión)`);

/** Everything the bot says, in Spanish: "tú", and words that are understood on both sides of the Atlantic. */
export const textsEs: Texts = {
  ...accountEs,
  ...failuresEs,
  ...helpEs,
  ...limitsEs,
  ...mistakesEs,
  ...recipientsEs,
  ...rewardsEs,
  ...settingsEs,
  ...severalEs,
  ...summaryEs,
  ...treasuryEs,
  ...walletsEs,
  ...withdrawalsEs,
  ...payLinkEs,
  page: pageEs,
  payPage: payPageEs,
  walletPage: walletPageEs,

  thinking: () => line`Un momento…`,
  askingPrice: () => line`Preguntando el precio…`,
  paying: ({ amount, fee, recipient, walletName }) =>
    line`Pagando ${usdc(amount)} a ${strong(recipient)}${withFee(fee)}${fromWallet(walletName)}…`,
  stillPaying: ({ amount, recipient }) =>
    line`Sigo pagando ${usdc(amount)} a ${strong(recipient)}. No se puede cobrar dos veces.`,
  payingLater: ({ amount, recipient }) => [
    line`Pagar ${usdc(amount)} a ${strong(recipient)} está tardando más de lo normal.`,
    line`Puedes cerrar esto: sigo intentándolo, y aquí te diré cómo terminó. No se puede cobrar dos veces.`,
  ],
  sent: ({ amount, fee, recipient, walletName }) =>
    line`Envié ${usdc(amount)} a ${strong(recipient)}${withFee(fee)}${fromWallet(walletName)}.`,

  getPlayMoney: () => 'Conseguir más dinero de prueba',
  tryAgain: () => 'Intentar de nuevo',

  help: (isPlayMoney) => [
    line`Envía de 0.01 a 10 USDC a cualquiera con el nombre que ya usa.`,
    line`${code('/tip @x:alice 1')} envía 1 USDC a alice en X. Lo que escribas después será una nota.`,
    line`Nombres que funcionan: ${code('x:alice')}, ${code('farcaster:alice')}, ${code('github:alice')}, ${code('alice@example.com')}, ${code('example.com')}, o el enlace a un perfil.`,
    line`Cantidades: ${code('1')}, ${code('0.5')}, ${code('50c')}, ${code('half')} (la mitad), ${code('all')} (todo).`,
    line`${code('/balance')} muestra lo que tienes; ${code('/deposit')}, ${isPlayMoney ? 'cómo conseguir más dinero de prueba' : 'cómo añadir dinero'}; ${code('/wallet')}, lo que recogiste y guardas aquí.`,
    line`${code('/withdraw')} lo envía a una dirección tuya.`,
  ],
  unknown: () => line`No entendí eso. Esto es lo que puedo hacer:`,

  gettingPlayMoney: () => line`Consiguiéndote dinero de prueba…`,
  welcome: (amount) => line`¡Hola! Tienes ${usdc(amount)} de prueba para enviar.`,
  gotPlayMoney: (amount) => line`Listo. Ahora tienes ${usdc(amount)} de prueba.`,
  noPlayMoney: () => line`Ahora mismo no pude conseguirte dinero de prueba.`,

  nothingToSend: (amount) =>
    amount === 0n
      ? line`Todavía no hay nada que enviar. ${code('/deposit')} te explica cómo añadir dinero.`
      : line`Tienes ${usdc(amount)}, y la propina más pequeña es de ${strong('0.01 USDC')}. ${code('/deposit')} te explica cómo añadir dinero.`,
  tooMuchAtOnce: (amount) => line`Serían ${usdc(amount)}, y una propina es de ${strong('10 USDC')} como máximo.`,
  buttonIsOver: () => line`Ese botón ya hizo su trabajo. Escribe el comando otra vez para tener uno nuevo.`,
  somethingWrong: () => line`Algo falló de mi lado, y no se cobró nada. Vuelve a intentarlo.`,
};
