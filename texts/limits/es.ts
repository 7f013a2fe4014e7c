import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { LimitName } from '../../core/wallets/spending-limits.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../core/view.ts';
import type { limitsEn } from './en.ts';
import { SPENDING_WAIT_HOURS } from '../rules/rules.ts';
import { namesIn } from '../names/person.ts';
import { momentIn } from '../rules/moment.ts';

const named = namesIn('es');

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const time = momentIn('es');

const LIMITS: Record<LimitName, (value: MicroUsdc) => Paragraph> = {
  tip: (value) => line`Para una persona, como mucho: ${usdc(value)}`,
  ask: (value) =>
    value === 0n ? line`Te pregunto antes: ${strong('siempre')}` : line`Te pregunto antes si pasa de: ${usdc(value)}`,
  day: (value) => line`En un día, como mucho: ${usdc(value)}`,
};

export const limitsEs: typeof limitsEn = {
  limitsTitle: (walletName) =>
    walletName === null
      ? line`Lo que tus propinas pueden gastar de tu billetera aquí:`
      : line`Lo que tus propinas pueden gastar de lo que guardaste como ${strong(named(walletName))}:`,
  limit: ({ name, value, raise }) => [
    ...LIMITS[name](value),
    ...(raise === null ? [] : line` · desde ${time(raise.at)}: ${usdc(raise.to)}`),
  ],
  spentToday: (spent) => line`Usado hoy: ${usdc(spent)}. El día empieza a medianoche UTC.`,
  limitsHint: () => [
    muted(
      `Bajar un límite vale al momento; subirlo, a las ${SPENDING_WAIT_HOURS} horas. Nunca limitan lo que retiras.`,
    ),
  ],
  limitLowered: () => line`Hecho. A partir de ahora:`,
  limitWillRise: () =>
    line`Apuntado. Cambia dentro de ${SPENDING_WAIT_HOURS} horas, para que nadie más pueda hacerlo sin que lo veas. Hasta entonces puedes anularlo:`,
  limitTooLarge: (largest) => line`Ahí no se puede más de ${usdc(largest)}.`,
  limitTooSmall: (smallest) => line`Como mínimo ${usdc(smallest)}. ${code('/lock')} detiene todos los gastos.`,
  limitsUnreadable: (found) => line`No puedo leer ${code(found)} como límite. Se cambian así:`,
  limitsInDirectChat: () =>
    line`Los límites se cambian donde solo leemos los dos: escríbeme directamente. Ahora valen estos:`,
  cancelRaises: () => 'Dejar los límites como están',
  raisesCancelled: () => line`Hecho. Ningún límite subirá. Valen estos:`,
  noRaises: () => line`Ningún límite iba a subir. Valen estos:`,

  spendingProblem: (problem) => {
    switch (problem.code) {
      case 'wallet_locked':
        return problem.until === null
          ? line`Has bloqueado los gastos, así que no se envió nada. ${code('/unlock')} los abre otra vez, a las ${SPENDING_WAIT_HOURS} horas.`
          : line`Los gastos están bloqueados hasta ${time(problem.until)}, así que no se envió nada.`;
      case 'passkey_needed':
        return line`Este dinero solo sale con su llave de acceso, así que no se envió nada. Puedes enviarlo en su página:`;
      case 'over_tip_limit':
        return line`De esta billetera una persona recibe como mucho ${usdc(problem.limit)}, así que no se envió nada.`;
      case 'over_day_limit':
        return line`Eso pasa de tus ${usdc(problem.limit)} al día, así que no se envió nada. Hasta medianoche UTC quedan ${usdc(problem.left)}.`;
    }
  },
  spendingWasOver: () =>
    line`Pasaba de un límite de tu billetera cuando lo intenté, así que no se envió nada. Ahora cabría: escríbelo otra vez.`,

  askOne: ({ recipient, amount, fee, note, walletName }) => {
    const kept = walletName === null ? '' : ` de lo que guardaste como ${named(walletName)}`;
    return [
      line`¿Enviar ${usdc(amount)}${kept} a ${strong(named(recipient))}?`,
      ...(fee === 0n ? [] : [line`Se añade una comisión de ${people(fee)} USDC.`]),
      ...(note === null ? [] : [line`Con la nota ${strong(note)}`]),
    ];
  },
  neverTipped: () =>
    line`Nunca has dado una propina a este nombre desde aquí. ¿Es de verdad quien piensas? Míralo antes de enviar.`,
  openProfile: (name) => `Ver ${named(name)}`,

  holdsMuch: (most) =>
    line`Es mucho para un chat: mejor no guardes aquí más de ${usdc(most)}. ${code('/withdraw')} envía el resto a una dirección tuya.`,

  locked: () =>
    line`Bloqueado. Ya no se gasta nada de tus billeteras, en ningún chat. ${code('/withdraw')} sigue funcionando.`,
  unlocksAt: (at) =>
    line`Se podrá gastar otra vez desde ${time(at)}. Si no has sido tú, ${code('/lock')} lo mantiene bloqueado.`,
  notLocked: () => line`No hay nada bloqueado.`,
  isLocked: (until) =>
    until === null ? line`Los gastos están bloqueados.` : line`Los gastos están bloqueados hasta ${time(until)}.`,

  undo: () => 'Cancelar el envío',
  undone: (amount, recipient) =>
    line`Envío cancelado: ${usdc(amount)} para ${strong(named(recipient))}. El dinero está en camino a tu billetera.`,
  undoTooLate: (recipient) => line`Demasiado tarde: ${strong(named(recipient))} ya lo tiene o ha empezado a cobrarlo.`,
  undoLater: () =>
    line`No he podido cancelar el envío ahora mismo. No se pierde nada: pulsa otra vez dentro de un minuto.`,
};
