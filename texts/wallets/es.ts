import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, strong, type Span } from '../../core/view.ts';
import type { PlaceFacts, walletsEn } from './en.ts';
import { filledPlaces, silentPlaces, sumOf } from './places.ts';
import { nameForPayer } from '../names/person.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';

const times = new Intl.DateTimeFormat('es', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});
const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);

function listPlaces(places: readonly PlaceFacts[]): string {
  return filledPlaces(places)
    .map(({ place, amount }) => `${people(amount)} en ${place}`)
    .join(' y ');
}

/** Where it lies needs to be said only where there is more than one place. */
function where(places: readonly PlaceFacts[]): string {
  const [first, ...others] = filledPlaces(places);
  if (places.length === 1 || first === undefined) return '';
  return others.length === 0 ? `, en ${first.place}` : `: ${listPlaces(places)}`;
}

function unknownPlaces(places: readonly PlaceFacts[]): string {
  const silent = silentPlaces(places).join(' y ');
  return silent === '' ? '' : ` Ahora mismo no puedo consultar ${silent}, así que lo que haya ahí no está contado.`;
}

export const walletsEs: typeof walletsEn = {
  balance: ({ name, places }, isPlayMoney) => {
    const unknown = unknownPlaces(places);
    if (sumOf(places) === 0n && name === null) {
      return line`Todavía no tienes dinero aquí. ${code('/deposit')} te explica cómo añadirlo.${unknown}`;
    }
    if (sumOf(places) === 0n)
      return line`No queda nada de lo que guardaste como ${strong(nameForPayer(name ?? '', 'es'))}.${unknown}`;
    const kept = name === null ? '' : ` en lo que guardaste como ${nameForPayer(name, 'es')}`;
    const kind = isPlayMoney ? ' de prueba' : '';
    return line`Tienes ${usdc(sumOf(places))}${kind}${kept}${where(places)}.${unknown}`;
  },
  inSeveralPlaces: (places) =>
    filledPlaces(places).length < 2
      ? []
      : [line`Una propina se paga desde una sola red, y tú tienes ${listPlaces(places)}.`],
  waits: (amount, isAll) =>
    line`${isAll ? 'Te esperan' : 'Además te esperan'} ${usdc(amount)}${isAll ? '; aún no tienes nada más para gastar' : ''}. Recógelos con ${code('/claim')}.`,
  soFar: (received, sent) => line`Hasta ahora has recibido ${people(received)} USDC y enviado ${people(sent)} USDC.`,

  addressesOf: (name) => line`Tus propinas se pagan con lo que guardaste como ${strong(nameForPayer(name, 'es'))}.`,
  playDeposit: (addresses) => [
    ...addresses.flatMap(({ place, address }) => [
      line`Tu dinero de prueba está en esta dirección, en una copia de ${place} que funciona en este equipo:`,
      line`${code(address)}`,
    ]),
    line`Nunca envíes dinero real a ${addresses.length > 1 ? 'estas direcciones' : 'esta dirección'}: nadie podría recuperarlo.`,
  ],
  deposit: (addresses) => {
    const only = addresses.length > 1 ? 'a cada dirección solo por su red' : `solo en ${addresses[0]?.place ?? ''}`;
    return [
      ...addresses.flatMap(({ place, address }, index) => [
        index === 0
          ? line`Para añadir dinero, envía ${strong(`USDC en ${place}`)} a tu dirección:`
          : line`O envía ${strong(`USDC en ${place}`)} a esta otra:`,
        line`${code(address)}`,
      ]),
      line`Aparecerá en ${code('/balance')} en menos de un minuto. Solo USDC, y ${only}: cualquier otra cosa podría perderse.`,
    ];
  },
  showQrCode: () => 'Mostrar como código QR',

  wallets: () => line`Puedes pagar con:`,
  wallet: ({ name, places }, isPaying) => {
    const held = places.every(({ amount }) => amount === null) ? '?' : people(sumOf(places));
    return line`${strong(nameForPayer(name ?? 'La billetera de este chat', 'es'))}: ${held} USDC${where(places)}${isPaying ? ' (paga ahora)' : ''}`;
  },
  onlyWallet: () =>
    line`El dinero que recojas y guardes aquí aparecerá en esta lista, y podrás dar propinas con él enseguida.`,
  payFrom: (name) => `Pagar con ${nameForPayer(name ?? 'la billetera de este chat', 'es')}`,
  choseWallet: (name) =>
    name === null
      ? line`Desde ahora tus propinas se pagan con la billetera de este chat.`
      : line`Desde ahora tus propinas se pagan con lo que guardaste como ${strong(nameForPayer(name, 'es'))}.`,
  noSuchWallet: () => line`Ya no puedes pagar con esa. ${code('/wallet')} te muestra lo que tienes.`,

  newcomers: ({ name, count, at, isGuarded }) =>
    isGuarded
      ? line`${count === 1 ? 'Alguien ha entrado' : `Han entrado otros ${String(count)}`} desde otro sitio en ${name === null ? 'la billetera de este chat' : strong(nameForPayer(name, 'es'))}. Desde allí se podrá retirar a partir del ${strong(`${times.format(at)} UTC`)}, y sin la llave de acceso tardará ${WITHOUT_PASSKEY_HOURS} horas más.`
      : line`${count === 1 ? 'Alguien ha entrado' : `Han entrado otros ${String(count)}`} desde otro sitio en ${name === null ? 'la billetera de este chat' : strong(nameForPayer(name, 'es'))}. Desde allí se podrá enviar o retirar a partir del ${strong(`${times.format(at)} UTC`)}.`,
  passkeyWaits: ({ name, change, at }) =>
    change === 'added'
      ? line`Se ha añadido una llave de acceso a ${name === null ? 'la billetera de este chat' : strong(nameForPayer(name, 'es'))}. El dinero sale con ella desde el ${strong(`${times.format(at)} UTC`)}.`
      : line`Se va a quitar una llave de acceso de ${name === null ? 'la billetera de este chat' : strong(nameForPayer(name, 'es'))}. Vale hasta el ${strong(`${times.format(at)} UTC`)}.`,
  endNewcomers: (name) => `No soy yo: cerrar (${nameForPayer(name ?? 'billetera de este chat', 'es')})`,
  endedNewcomers: (count) => {
    if (count === null)
      return line`Primero demuestra otra vez que el nombre es tuyo: ${code('/claim')}, y luego vuelve a pulsar el botón.`;
    return count === 0
      ? line`Ya no queda nadie a quien cerrar: ${code('/wallet')} te muestra lo que tienes.`
      : line`Hecho. Ahora solo la ve quien ya podía gastar antes.`;
  },

  getPlayMoney: () => 'Conseguir más dinero de prueba',
  gettingPlayMoney: () => line`Consiguiéndote dinero de prueba…`,
  welcome: (amount) => line`¡Hola! Tienes ${usdc(amount)} de prueba para enviar.`,
  gotPlayMoney: (amount) => line`Listo. Ahora tienes ${usdc(amount)} de prueba.`,
  noPlayMoney: () => line`Ahora mismo no pude conseguirte dinero de prueba.`,
};
