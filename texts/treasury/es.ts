import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import type { treasuryEn } from './en.ts';
import { TREASURY_CARD_HOURS, TREASURY_WAIT_HOURS } from '../rules/rules.ts';
import { momentIn } from '../rules/moment.ts';

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const time = momentIn('es');

export const treasuryEs: typeof treasuryEn = {
  treasuryTitle: () => line`Lo que esta comunidad tiene para recompensas:`,
  treasuryHolds: ({ place, amount }) =>
    amount === null ? line`En ${place}: ahora no puedo consultarlo.` : line`En ${place}: ${usdc(amount)}`,
  treasuryAddress: ({ place, active, waiting }) => [
    ...(active === null
      ? line`No hay dirección de retiro en ${place}.`
      : line`Los retiros en ${place} van a ${code(active)}.`),
    ...(waiting === null ? [] : line` Desde ${time(waiting.at)}: ${code(waiting.address)}`),
  ],
  treasuryHow: () => [
    line`Cualquiera puede aportar: ${code('/treasury deposit')}. Todos pueden leer lo que entró y salió: ${code('/treasury statement')}.`,
    line`Para retirar dinero, la persona dueña fija una dirección con ${code('/treasury address 0x…')}. A las ${TREASURY_WAIT_HOURS} horas, ${code('/treasury withdraw 5 base')} pregunta aquí, y la persona dueña y otra que modere pulsan Confirmar.`,
    [
      muted(
        'Si me quitan, el dinero se queda donde está y nada puede salir. Si me vuelven a invitar, todo sigue como antes.',
      ),
    ],
  ],
  treasuryDeposit: (addresses) => [
    line`Este dinero es para las recompensas de la comunidad. Quien aporta lo regala.`,
    ...addresses.flatMap(({ place, address }) => [line`${strong(`USDC en ${place}`)}:`, line`${code(address)}`]),
    line`Solo USDC: cualquier otra cosa podría perderse. Desde tu billetera de aquí:`,
  ],
  treasuryGive: (amount, place) =>
    line`¿Dar ${usdc(amount)} en ${strong(place)} a esta comunidad? Quien ingresa dinero lo regala.`,
  treasuryGiveNow: (amount) => `Dar ${people(amount)} USDC`,
  treasuryStatement: () => 'Extracto en CSV',
  treasuryStatementSays: () =>
    line`Lo que salió figura con su transacción. De lo que entró, el importe es exacto y la hora es cuando lo vi: miro cada hora, y lo que llegó entre dos miradas es una sola línea.`,

  treasuryAddressSet: ({ place, address, by, at }) => [
    line`${strong(by)} quiere que lo que esta comunidad retire en ${strong(place)} vaya aquí:`,
    line`${code(address)}`,
    line`Vale desde ${time(at)}. Hasta entonces, cualquiera que modere puede detenerla.`,
  ],
  cancelTreasuryAddress: (place) => `Detener esta dirección en ${place}`,
  treasuryAddressCancelled: ({ place, address, by }) =>
    line`La dirección ${code(address)} en ${place} no vale: ${strong(by)} la ha detenido.`,
  treasuryAddressDropped: (place) => line`Hecho. Esa dirección en ${strong(place)} ya no vale.`,

  treasuryAsk: ({ amount, place, address, by }, confirmed) => [
    line`${strong(by)} quiere retirar ${usdc(amount)} del dinero de esta comunidad en ${strong(place)}, a:`,
    line`${code(address)}`,
    line`La persona dueña y otra que modere tienen que confirmarlo en ${TREASURY_CARD_HOURS} horas; la dueña sola si nadie más modera. Un Rechazar lo termina.`,
    ...(confirmed.length === 0 ? [] : [line`Confirmado por ${strong(confirmed.join(', '))}`]),
  ],
  treasuryConfirm: (amount) => `Confirmar ${people(amount)} USDC`,
  treasuryReject: () => 'Rechazar',
  treasuryRejected: ({ amount, place }, by) =>
    line`${strong(by)} ha rechazado el retiro de ${usdc(amount)} en ${place}. No se movió nada.`,
  treasuryExpired: ({ amount, place }) =>
    line`El retiro de ${usdc(amount)} en ${place} terminó: no hubo bastantes confirmaciones a tiempo, o su dirección ya no vale. No se movió nada.`,

  treasuryProblem: (problem) => {
    switch (problem.code) {
      case 'elsewhere':
        return line`Escribe ${code('/treasury')} en el servidor o grupo dueño del dinero.`;
      case 'small_group':
        return line`Telegram daría otro número a este grupo al crecer, y su dinero quedaría atrás. En los ajustes del grupo, muestra el historial a los miembros nuevos: así tendrá su número definitivo y podrá tener una tesorería.`;
      case 'unreadable':
        return line`No entiendo ${code(problem.found)}. Esto funciona:`;
      case 'not_owner':
        return line`Solo la persona dueña decide adónde va el dinero de la comunidad.`;
      case 'not_moderator':
        return line`Eso es para quienes moderan aquí.`;
      case 'no_owner':
        return line`Ahora nadie es dueño de esta comunidad, así que su dinero se queda donde está hasta que alguien lo sea.`;
      case 'standing_unknown':
        return line`No puedo averiguar quién dirige esta comunidad, así que no hice nada. Tengo que ser miembro aquí. Inténtalo de nuevo en un minuto.`;
      case 'which_network':
        return line`¿En qué red?`;
      case 'no_address':
        return line`No hay dirección de retiro en ${problem.place}. La fija la persona dueña, y vale a las ${TREASURY_WAIT_HOURS} horas:`;
      case 'address_waits':
        return line`La dirección en ${problem.place} vale desde ${time(problem.at)}. Hasta entonces no puede salir nada.`;
      case 'busy':
        return line`Otro retiro espera confirmación. Confirmen o rechacen primero ese:`;
      case 'address_over':
        return line`No hay nada que detener: esa dirección ya vale, o ya no.`;
      case 'card_over':
        return line`Ese retiro ya está decidido.`;
      case 'limited':
        return line`Demasiados retiros a la vez, así que no se hizo nada. Esperen a que llegue uno, o sigan mañana.`;
    }
  },
};
