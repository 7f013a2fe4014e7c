import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import {
  DROP_EXAMPLE,
  DROP_TIME_MAX,
  DROP_TIME_MIN,
  KNOWN_ANSWERS,
  KNOWN_DAYS,
  OWN_WAIT_MINUTES,
  TIP_MAX,
  TIP_MIN,
  TREASURY_DROP_EXAMPLE,
} from '../rules/rules.ts';
import type { dropsEn } from './en.ts';

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);
const who = (role: string | null): string =>
  role === null
    ? `Para quien lleve ${KNOWN_DAYS} días aquí y tenga ${KNOWN_ANSWERS} mensajes respondidos por otras personas.`
    : `Para quien tenga el rol ${role} y quien modere.`;

export const dropsEs: typeof dropsEn = {
  dropCard: ({ giver, amount, share, people, role, time, isTreasury }, taken) => [
    line`${giver} reparte ${usdc(amount)}: ${usdc(share)} por persona, para ${String(people)} personas.`,
    line`Tomadas: ${strong(`${taken} de ${people}`)}. Se cierra ${time} después de empezar.`,
    [
      muted(
        `${who(role)} Una parte por persona. ${isTreasury ? 'Quienes moderan confirman la lista antes de pagar.' : 'Antes de pagar se revisa la lista.'}`,
      ),
    ],
  ],
  dropCommunity: (place) => (place === 'start' ? 'La comunidad' : 'la comunidad'),
  takeShare: () => 'Me apunto',
  callOffDrop: () => 'Cancelar',
  seeDropList: () => 'Ver la lista',
  dropStage: (stage, { giver, amount, taken, hours, confirmed, quorum }) => {
    switch (stage) {
      case 'closed':
        return line`Cerrado: ${strong(String(taken))} pidieron una parte de ${usdc(amount)}. ${giver} revisa la lista y paga en un máximo de ${String(hours)} horas.`;
      case 'listed':
        return line`Cerrado: ${strong(String(taken))} pidieron una parte de ${usdc(amount)} de la tesorería. Quienes moderan confirman la lista: ${strong(`${confirmed} de ${quorum}`)} hasta ahora. Se paga en un máximo de ${String(hours)} horas, o no se paga.`;
      case 'unpaid':
        return line`El reparto de ${usdc(amount)} de ${giver} no se pudo pagar. No se cobró nada a nadie.`;
      case 'called_off':
        return line`${giver} canceló el reparto de ${usdc(amount)}. No se pagó a nadie.`;
      case 'nobody':
        return line`${giver} quiso repartir ${usdc(amount)}. Nadie se apuntó.`;
      case 'lapsed':
        return line`${giver} no pagó a tiempo el reparto de ${usdc(amount)}. No se pagó a nadie.`;
    }
  },
  tookShare: ({ share, giver }) =>
    line`Ya estás: ${usdc(share)} para ti, en cuanto ${giver} revise la lista y la pague.`,
  takeProblem: (problem, { role }) => {
    switch (problem) {
      case 'own':
        return [line`Este reparto es tuyo. Es para los demás.`];
      case 'not_eligible':
        return [line`Este todavía no es para ti.`, line`${who(role)}`];
      case 'other_name':
        return [line`Ya tienes una parte, con otro de tus nombres.`];
      case 'full':
        return [line`Todas las partes están tomadas.`];
      case 'over':
        return [line`Este reparto ya no admite a nadie.`];
      case 'unknown':
        return [line`Ahora no puedo ver quién tiene el rol. Pulsa otra vez en un momento.`];
      case 'takes_nothing':
        return [
          line`Pediste no recibir pagos así, por eso te dejo fuera. ${code('/privacy')} y ${code('/block')} lo muestran.`,
        ];
    }
  },
  dropList: (count, sum) =>
    line`${strong(String(count))} en tu lista, ${usdc(sum)} en total. No se paga nada hasta que pulses.`,
  dropListed: (number, name, amount) => line`${String(number)}. ${name}: ${usdc(amount)}`,
  dropStrikeHint: (isTreasury) => [
    muted(
      isTreasury
        ? 'Quien tachas no recibe nada y no se entera. Su parte se queda en la tesorería, y la lista se confirma de nuevo.'
        : 'Quien tachas no recibe nada y no se entera. Su parte se queda contigo.',
    ),
  ],
  payDrop: (sum) => `Pagar ${formatUsdcForPeople(sum)} USDC`,
  confirmDrop: (sum) => `Confirmar ${formatUsdcForPeople(sum)} USDC`,
  dropConfirmed: () => line`Confirmado. Cuando también confirmen otras personas que moderan, se paga.`,
  strikeFromDrop: (number) => `Tachar ${number}`,
  explainDrops: () => [
    line`${code(DROP_EXAMPLE.command)} reparte ${DROP_EXAMPLE.sum} USDC entre hasta ${DROP_EXAMPLE.people} personas de este grupo que pulsen a tiempo: ${DROP_EXAMPLE.share} cada una.`,
    line`Al cerrar ves la lista, tachas a quien no quieras y pagas. Lo que nadie tomó sigue siendo tuyo.`,
    line`${code(TREASURY_DROP_EXAMPLE)} usa el dinero de la comunidad: lo piden quienes moderan, y otras personas que moderan confirman la lista.`,
  ],
  dropProblem: (problem, { least, most }) => {
    switch (problem) {
      case 'unreadable':
        return line`Un reparto dice cuánto, para cuántas personas y durante cuánto tiempo:`;
      case 'people':
        return line`Un reparto es para entre ${String(least)} y ${String(most)} personas:`;
      case 'time':
        return line`Puede estar abierto entre ${DROP_TIME_MIN} y ${DROP_TIME_MAX}:`;
      case 'share':
        return line`Cada parte es de ${TIP_MIN} a ${TIP_MAX} USDC:`;
      case 'elsewhere':
        return line`Un reparto se hace en un grupo. Escríbelo allí.`;
      case 'no_role':
        return line`Primero quienes moderan aquí dicen qué rol puede participar:`;
      case 'nobody_known':
        return line`Aquí nadie podría participar todavía: tengo que ver durante ${KNOWN_DAYS} días quién escribe, y tener permiso. Hazme administrador de este grupo.`;
      case 'busy':
        return line`Ya tienes un reparto aquí. Págalo o cancélalo primero:`;
      case 'none':
        return line`Aquí no hay ninguna lista que te espere.`;
      case 'not_listed':
        return line`Ese nombre no está en tu lista:`;
      case 'empty':
        return line`No queda nadie en la lista. Cancela o déjalo así: no se paga nada.`;
      case 'changed':
        return line`La lista ha cambiado mientras tanto. Mírala otra vez:`;
      case 'too_little':
        return line`Tienes muy poco para eso. Añade dinero y pulsa otra vez:`;
      case 'not_decider':
        return line`Eso es para quienes moderan aquí.`;
      case 'standing_unknown':
        return line`No puedo averiguar quién dirige esta comunidad, así que no hice nada. Tengo que ser miembro aquí. Prueba de nuevo en un minuto.`;
      case 'small_group':
        return line`Este grupo aún no tiene tesorería: primero muestra el historial a los nuevos miembros en los ajustes del grupo.`;
      case 'own':
        return line`Pediste este reparto, así que tiene que confirmarlo otra persona que modere. Si no modera nadie más, puedes confirmar uno pequeño ${OWN_WAIT_MINUTES} minutos después del cierre.`;
      case 'has_share':
        return line`Tienes una parte en este reparto, así que lo confirman otras personas que moderan.`;
      case 'treasury_short':
        return line`La tesorería tiene muy poco para eso. Cualquiera puede aportar:`;
    }
  },
};
