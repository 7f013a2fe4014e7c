import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../core/view.ts';
import type { rewardsEn } from './en.ts';
import {
  REWARD_CARD_HOURS,
  REWARD_DEFAULT,
  REWARD_MAX,
  REWARD_MIN,
  REWARD_NAMES_MAX,
  TIP_MAX,
  TIP_MIN,
} from '../rules/rules.ts';
import { momentIn } from '../rules/moment.ts';

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const withFee = (fee: MicroUsdc): string => (fee === 0n ? '' : ` (más ${people(fee)} USDC de comisión)`);
const time = momentIn('es');

const WHY = new Map([
  ['author', 'lo escribió'],
  ['creator', 'lo pidió'],
  ['excluded', 'por exclusión'],
  ['opted_out', 'no quiere pagos'],
  ['nameless', 'sin nombre'],
  ['no_weight', 'solo hizo lo que no cuenta'],
  ['max_recipients', `más de ${REWARD_NAMES_MAX} personas`],
  ['share_too_small', `menos de ${TIP_MIN} USDC`],
]);

export const rewardsEs: typeof rewardsEn = {
  rewardAsk: (facts, { needed, confirmed }) => {
    const { by, author, budget, fee, costMax, count, weights, top, leftOut } = facts;
    const { like, comment, repost } = weights;
    const left = leftOut.reduce((sum, one) => sum + one.count, 0);
    const why = leftOut.map((one) => `${one.count} ${WHY.get(one.reason) ?? one.reason}`).join(', ');
    return [
      line`${strong(by)} quiere recompensar a quienes reaccionaron a una publicación de ${strong(author)}: ${usdc(budget)}${withFee(fee)} para ${strong(String(count))} personas, de la tesorería de esta comunidad.`,
      ...(costMax === 0n
        ? []
        : [
            line`Si ya se usaron las transacciones gratuitas de hoy, se suman hasta ${usdc(costMax)} para cubrir su coste.`,
          ]),
      line`Un me gusta cuenta ${String(like)}, un comentario ${String(comment)}, una republicación ${String(repost)}.`,
      ...top.map(({ name, amount }, index) => line`${String(index + 1)}. ${name} · ${people(amount)} USDC`),
      ...(count > top.length ? [line`y ${String(count - top.length)} más`] : []),
      ...(left === 0 ? [] : [line`Fuera quedan: ${strong(String(left))} (${why})`]),
      line`Para dejar fuera a alguien: ${code('/reward without alice')}`,
      needed === 1
        ? line`Una persona que modere aquí y no lo haya pedido tiene que confirmar en ${REWARD_CARD_HOURS} horas. Un rechazo lo termina.`
        : line`Dos personas que moderen aquí y no lo hayan pedido tienen que confirmar en ${REWARD_CARD_HOURS} horas. Un rechazo lo termina.`,
      ...(confirmed.length === 0 ? [] : [line`Confirmado por ${strong(confirmed.join(', '))}`]),
    ];
  },
  rewardConfirm: (done, needed) => `Confirmar ${done}/${needed}`,
  rewardReject: () => 'Rechazar',
  rewardPage: () => 'Quién recibe cuánto',
  rewardCsv: () => 'Como CSV',
  rewardPost: () => 'La publicación',
  rewardTell: () => 'Avisarles en Farcaster',
  rewardTelling: (called, author) =>
    line`${called} gracias por lo que hicisteis con la publicación de ${author}. Tenéis una parte; así la recibís:`,

  rewardPaying: ({ budget, count, author }) =>
    line`Pagando ${usdc(budget)} a ${strong(String(count))} personas por una publicación de ${strong(author)}…`,
  rewardPaid: ({ budget, author }, counts) => {
    const parts: [number, string][] = [
      [counts?.paid ?? 0, 'pagados'],
      [counts?.onTheWay ?? 0, 'en camino'],
      [counts?.waiting ?? 0, 'por recoger'],
      [counts?.held ?? 0, 'retenidos'],
      [counts?.refunded ?? 0, 'devueltos'],
    ];
    const said = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
    return [
      line`Recompensado: ${usdc(budget)} por una publicación de ${strong(author)}.`,
      ...(said.length === 0 ? [] : [line`${said.join(', ')}`]),
    ];
  },
  rewardPaidElsewhere: () => [muted('Lo pagó otra persona: de la tesorería no salió nada.')],
  rewardPaidByLink: () => [muted('Pagado por el enlace: de la tesorería no salió nada.')],
  rewardUnfunded: () =>
    line`Está confirmado, pero la tesorería no tiene bastante en ninguna red. Aporten con ${code('/treasury deposit')} y confirmen otra vez, o alguien lo paga con una cartera con el botón de abajo.`,
  rewardRejected: ({ budget, author }, by) =>
    line`${strong(by)} rechazó la recompensa de ${usdc(budget)} por una publicación de ${strong(author)}. No se movió nada.`,
  rewardExpired: ({ budget, author }) =>
    line`La recompensa de ${usdc(budget)} por una publicación de ${strong(author)} se acabó: no la confirmó bastante gente a tiempo. No se movió nada.`,
  rewardUnpaid: ({ budget, author }) =>
    line`La recompensa de ${usdc(budget)} por una publicación de ${strong(author)} terminó: estaba confirmada y nadie la pagó a tiempo. No se movió nada.`,
  rewardReplaced: ({ author }, by) =>
    line`${strong(by)} dejó fuera a alguien: otra tarjeta para la publicación de ${strong(author)} está en lugar de esta.`,
  rewardFailed: ({ budget, author }, reason) => [
    line`La recompensa de ${usdc(budget)} por una publicación de ${strong(author)} no se pagó, y no se movió nada.`,
    whyNot(reason),
  ],

  rewardProblem: (problem) => {
    switch (problem.code) {
      case 'elsewhere':
        return line`Escribe ${code('/reward')} en el servidor o grupo cuyo dinero es.`;
      case 'small_group':
        return line`Este grupo aún no tiene tesorería: primero muestra el historial a los nuevos miembros en los ajustes del grupo.`;
      case 'nothing_said':
        return line`${code('/reward')} reparte dinero de la tesorería de esta comunidad entre quienes reaccionaron a una publicación de Farcaster. Necesita el enlace de la publicación; después puede ir un importe, y sin él son ${REWARD_DEFAULT} USDC. Muestro quién recibiría cuánto antes de que se pague nada:`;
      case 'unreadable':
        return line`No entiendo ${code(problem.found)}. Esto funciona:`;
      case 'not_a_post':
        return line`${code(problem.found)} no es un enlace a una publicación de Farcaster. Esto funciona:`;
      case 'not_a_name':
        return line`No entiendo ${code(problem.found)} como nombre de Farcaster. Esto funciona:`;
      case 'budget':
        return line`${code(problem.found)} no se puede repartir. De ${REWARD_MIN} a ${REWARD_MAX} USDC funciona:`;
      case 'not_decider':
        return line`Eso es para quienes moderan aquí.`;
      case 'standing_unknown':
        return line`No puedo averiguar quién dirige esta comunidad, así que no hice nada. Tengo que ser miembro aquí. Prueba de nuevo en un minuto.`;
      case 'busy':
        return line`Otra recompensa espera confirmación. Primero hay que confirmarla o rechazarla.`;
      case 'nothing_open':
        return line`Aquí ninguna recompensa espera confirmación. Así se crea una:`;
      case 'card_over':
        return line`Esa recompensa ya está decidida.`;
      case 'being_paid':
        return line`Alguien lo está pagando con una billetera ahora mismo. Pulsa otra vez en un minuto.`;
      case 'own':
        return problem.at === null
          ? line`Pediste esta recompensa, así que tiene que confirmarla otra persona que modere aquí.`
          : line`Pediste esta recompensa. Hasta ${time(problem.at)} otros pueden rechazarla; después puedes confirmarla.`;
      case 'refused':
        return whyNot(problem.reason);
      case 'unreachable':
        return line`Ahora no puedo leer esa publicación, así que no hice nada. Prueba de nuevo en un minuto.`;
      case 'missing':
        return line`La tesorería tiene ${usdc(problem.most)}, y esto necesita ${usdc(problem.needed)} en una red. ${code('/treasury deposit')} muestra cómo aportar.`;
      case 'balance_unknown':
        return line`Ahora no puedo averiguar qué tiene la tesorería. Prueba de nuevo en un minuto.`;
    }
  },
};

function whyNot(reason: string): Paragraph {
  switch (reason) {
    case 'content_not_found':
      return line`No encuentro esa publicación. Quizá se borró; lo mejor es el enlace de la app.`;
    case 'no_engagement':
      return line`Nadie a quien se pueda recompensar ha reaccionado aún a esa publicación.`;
    case 'budget_too_small':
      return line`Es muy poco: cada persona tiene que recibir al menos ${TIP_MIN} USDC.`;
    case 'budget_too_large':
      return line`Es demasiado: cada persona puede recibir como mucho ${TIP_MAX} USDC.`;
    case 'insufficient_funds':
      return line`En la tesorería no hay bastante. ${code('/treasury deposit')} muestra cómo aportar.`;
    case 'receiver_opted_out':
      return line`Alguien de la lista ya no quiere pagos. Una tarjeta nueva lo deja fuera.`;
    case 'distribution_expired':
      return line`Su tiempo se acabó.`;
    case 'distribution_rejected':
      return line`Fue rechazada.`;
    case 'took_too_long':
      return line`Tardó demasiado.`;
    case 'service_closing':
      return line`Este servicio cierra: ya no acepta pagos.`;
    case 'service_paused':
      return line`Los pagos están en pausa ahora.`;
    case 'unreachable':
      return line`No pude contactar con el servicio.`;
    default:
      return line`El motivo: ${code(reason)}`;
  }
}
