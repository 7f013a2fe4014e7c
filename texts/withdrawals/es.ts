import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { AddressRefusal } from '../../core/payments/payout-address.ts';
import { AT_ONCE_DAILY_MAX } from '../../core/wallets/withdrawal-wait.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import { WITHDRAWALS_DAILY_MAX, WITHDRAWALS_OPEN_MAX } from '../../core/wallets/withdrawal-wait.ts';
import type { WithdrawalFailure } from '../../core/states.ts';
import type { withdrawalsEn } from './en.ts';
import { WITHDRAWAL_WAIT_HOURS, WITHDRAWAL_WAIT_MAX_HOURS, WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';
import { nameForPayer } from '../names/person.ts';
import { momentIn } from '../rules/moment.ts';

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const time = momentIn('es');

const ADDRESS_REFUSALS: Record<AddressRefusal, string> = {
  not_an_address:
    'Eso no es una dirección. En Base es 0x y 40 cifras o letras de la a a la f; en Solana, de 32 a 44 letras y cifras.',
  wrong_checksum:
    'Esta dirección tiene un error: sus mayúsculas y minúsculas no encajan entre sí. Cópiala otra vez, por favor.',
  ours: 'Esta dirección es de este servicio. Da una que sea tuya.',
  nobody: 'Esta dirección no es de nadie: el dinero enviado ahí se perdería.',
  system: 'Esta dirección es parte de la propia red, no de una persona: el dinero enviado ahí se perdería.',
  token: 'Esta es la dirección de un token, no de una persona.',
  token_account: 'Esta es una cuenta de token. Da la dirección de la billetera a la que pertenece.',
  special_account: 'Esta cuenta es para staking o para firmar más tarde. Da la dirección de la billetera misma.',
  program: 'Esta dirección es de un programa, no de la billetera de una persona.',
  foreign_account:
    'La cuenta de USDC de esta billetera es ahora de otra persona, y sería ella quien recibiría el dinero.',
  blacklisted: 'El emisor de USDC bloqueó esta dirección, así que ahí no puede llegar USDC.',
};

const FAILURES: Record<WithdrawalFailure, string> = {
  insufficient_funds: 'La billetera ya no tiene tanto.',
  sender_blacklisted: 'USDC no permite que esta billetera envíe.',
  recipient_blacklisted: 'USDC no permite que esa dirección reciba.',
  forbidden_address: 'El dinero enviado a esa dirección se perdería, así que no se envía.',
  no_token_account: 'Esa dirección aún no tiene una cuenta de USDC, y ahora no se le puede abrir.',
  token_account_not_theirs: 'La cuenta de USDC de esa dirección es ahora de otra persona.',
  invalid_signature: 'Lo que se firmó no es lo que se pidió, así que no se envía.',
  failed_on_chain: 'La red rechazó la transferencia varias veces.',
  gave_up: 'No se pudo enviar a tiempo. Vuelve a pedirlo.',
  cancelled: 'Se canceló.',
};
// A map, because the word comes from a row that may be older than this program.
const BY_WORD = new Map<string, string>(Object.entries(FAILURES));
export const whyFailedEs = (failure: string | null): string => BY_WORD.get(failure ?? '') ?? 'No se pudieron enviar.';

export const withdrawalsEs: typeof withdrawalsEn = {
  withdrawHelp: (isGuarded) => [
    line`Dime cuánto y a qué dirección: ${code('/withdraw all 0x…')} o ${code('/withdraw 5 0x…')}.`,
    line`Una dirección que empieza por 0x es de Base; cualquier otra, de Solana. Te lo muestro todo antes de enviarlo.`,
    isGuarded
      ? line`Una llave de acceso protege este dinero, y un chat no puede pedirla. Por eso lo que retiras aquí sale a las ${WITHOUT_PASSKEY_HOURS} horas. Con la llave, en la página de tu dinero, es más rápido.`
      : line`A la primera dirección salen ${people(AT_ONCE_DAILY_MAX)} USDC al día en el acto. Lo que pase de ahí, y lo que vaya a otra dirección nueva, sale a las ${WITHDRAWAL_WAIT_HOURS} horas, o hasta ${WITHDRAWAL_WAIT_MAX_HOURS} horas después si no podemos avisarte en otro chat o por correo.`,
  ],
  confirmWithdraw: ({ amount, place, address }, name) => [
    line`¿Enviar ${usdc(amount)}${name === null ? '' : ` de lo que guardaste como ${nameForPayer(name, 'es')}`} por ${strong(place)} a esta dirección?`,
    line`${code(address)}`,
    line`Compárala una vez más, por favor: lo que va a una dirección equivocada no se puede recuperar.`,
  ],
  confirmWithdrawButton: (amount) => `Enviar ${people(amount)} USDC`,

  withdrawLeaves: (at, isGuarded) =>
    isGuarded
      ? line`Una llave de acceso protege este dinero, y un chat no puede pedirla. Por eso sale el ${time(at)}. Hasta entonces puedes cancelarlo.`
      : line`Esta dirección es nueva para esta billetera, así que el dinero sale el ${time(at)}: así nadie puede llevárselo sin que lo veas. Hasta entonces puedes cancelarlo.`,
  withdrawWaits: ({ amount, place, address }, at) =>
    line`${usdc(amount)} salen el ${time(at)} por ${place} hacia ${code(address)}. Hasta entonces siguen donde están.`,
  withdrawNotYou: () =>
    line`Si no has sido tú, cancélalo con ${code('/withdraw cancel')} y bloquea los gastos con ${code('/lock')}.`,
  cancelWithdraw: () => 'Cancelarlo',
  withdrawCancelled: ({ amount, place, address }) =>
    line`Cancelado: ${usdc(amount)} para ${code(address)} por ${place} se quedan donde están.`,
  withdrawBecomesKnown: ({ amount, place, address }, at) =>
    line`${usdc(amount)} salieron por ${place} hacia ${code(address)}. Desde ${time(at)} cualquier cantidad puede salir a esa dirección en el acto.`,
  withdrawNewAgain: ({ amount, place, address }) =>
    line`Ya no sale nada en el acto hacia ${code(address)} por ${place}: vuelve a contar como dirección nueva. ${usdc(amount)} ya habían salido.`,
  noWithdrawWaits: () => line`No hay ningún retiro en espera que cancelar.`,

  withdrawWaitsForAccount: ({ amount, place, address }, at) =>
    line`${code(address)} todavía no tiene cuenta de USDC en ${place}, y las cuentas que abro en un día se agotaron. ${usdc(amount)} siguen donde están; lo intento otra vez a partir del ${time(at)}.`,
  withdrawing: ({ amount, place, address }) =>
    line`Enviando ${usdc(amount)} por ${place} a ${code(address)}. Puede tardar unos minutos, y no se puede enviar dos veces.`,
  withdrawn: ({ amount, place, address }) => line`${usdc(amount)} llegaron por ${place} a ${code(address)}.`,
  transaction: (transaction) => [muted(`Transacción ${transaction}`)],
  seeTransaction: () => 'Ver la transacción',
  withdrawFailed: ({ amount }, failure) => line`Tus ${usdc(amount)} se quedaron donde estaban. ${whyFailedEs(failure)}`,

  withdrawProblem: (problem) => {
    switch (problem.code) {
      case 'network_off':
        return line`Aquí no se puede enviar nada por ${problem.place}.`;
      case 'which_network':
        return line`¿En qué red?`;
      case 'unreachable':
        return line`Ahora mismo no puedo conectar con ${problem.place}, así que no envié nada. Vuelve a intentarlo en un minuto.`;
      case 'address':
        return line`${ADDRESS_REFUSALS[problem.reason]}`;
      case 'own_address':
        return line`Esa es la dirección de esta misma billetera. Da una de otro lugar.`;
      case 'too_little':
        return line`Lo mínimo que envío son ${people(problem.least)} USDC.`;
      case 'not_enough':
        return problem.held === 0n
          ? line`No hay nada en ${problem.place}.`
          : line`Solo hay ${people(problem.held)} USDC en ${problem.place}.`;
    }
  },
  withdrawNotHeld: () => line`Ya no tienes acceso a esta billetera, así que no envié nada.`,
  // The sentence that comes along is English, so this one says both limits.
  withdrawLimited: () =>
    line`Una billetera puede tener ${String(WITHDRAWALS_OPEN_MAX)} retiros en camino y ${String(WITHDRAWALS_DAILY_MAX)} al día. Espera a que llegue alguno, o sigue mañana.`,
};
