import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, strong, type Span } from '../../core/view.ts';
import type { PlaceFacts, walletsEn } from './en.ts';
import { filledPlaces, silentPlaces, sumOf } from './places.ts';
import { nameForPayer } from '../names/person.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';

const times = new Intl.DateTimeFormat('de', {
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
    .map(({ place, amount }) => `${people(amount)} auf ${place}`)
    .join(' und ');
}

/** Where it lies needs to be said only where there is more than one place. */
function where(places: readonly PlaceFacts[]): string {
  const [first, ...others] = filledPlaces(places);
  if (places.length === 1 || first === undefined) return '';
  return others.length === 0 ? `, auf ${first.place}` : `: ${listPlaces(places)}`;
}

function unknownPlaces(places: readonly PlaceFacts[]): string {
  const silent = silentPlaces(places).join(' und ');
  return silent === '' ? '' : ` Ich erreiche ${silent} gerade nicht; was dort liegt, ist nicht mitgezählt.`;
}

export const walletsDe: typeof walletsEn = {
  balance: ({ name, places }, isPlayMoney) => {
    const unknown = unknownPlaces(places);
    if (sumOf(places) === 0n && name === null) {
      return line`Du hast hier noch kein Geld. ${code('/deposit')} zeigt, wie du welches einzahlst.${unknown}`;
    }
    if (sumOf(places) === 0n) {
      return line`Von dem, was du als ${strong(nameForPayer(name ?? '', 'de'))} aufbewahrt hast, ist nichts mehr da.${unknown}`;
    }
    const kept = name === null ? '' : ` in dem, was du als ${nameForPayer(name, 'de')} aufbewahrst`;
    const kind = isPlayMoney ? ' Spielgeld' : '';
    return line`Du hast ${usdc(sumOf(places))}${kind}${kept}${where(places)}.${unknown}`;
  },
  inSeveralPlaces: (places) =>
    filledPlaces(places).length < 2
      ? []
      : [line`Ein Trinkgeld wird aus einem einzigen Netzwerk gezahlt, und du hast ${listPlaces(places)}.`],
  waits: (amount, isAll) =>
    line`${usdc(amount)} ${isAll ? 'warten auf dich, sonst ist noch nichts zum Ausgeben da' : 'warten noch auf dich'}. ${code('/claim')} holt sie ab.`,
  soFar: (received, sent) => line`Bisher hast du ${people(received)} USDC bekommen und ${people(sent)} USDC gesendet.`,

  addressesOf: (name) =>
    line`Deine Trinkgelder werden aus dem gezahlt, was du als ${strong(nameForPayer(name, 'de'))} aufbewahrst.`,
  playDeposit: (addresses) => [
    ...addresses.flatMap(({ place, address }) => [
      line`Dein Spielgeld liegt auf dieser Adresse, in einer Kopie von ${place}, die auf diesem Computer läuft:`,
      line`${code(address)}`,
    ]),
    line`Sende nie echtes Geld an ${addresses.length > 1 ? 'diese Adressen' : 'diese Adresse'}: Niemand könnte es zurückholen.`,
  ],
  deposit: (addresses) => {
    const only =
      addresses.length > 1 ? 'an jede Adresse nur in ihrem Netzwerk' : `nur auf ${addresses[0]?.place ?? ''}`;
    return [
      ...addresses.flatMap(({ place, address }, index) => [
        index === 0
          ? line`Um Geld einzuzahlen, sende ${strong(`USDC auf ${place}`)} an deine Adresse:`
          : line`Oder sende ${strong(`USDC auf ${place}`)} an diese:`,
        line`${code(address)}`,
      ]),
      line`Es erscheint innerhalb einer Minute in ${code('/balance')}. Nur USDC, und ${only}: Alles andere könnte verloren gehen.`,
    ];
  },
  showQrCode: () => 'Als QR-Code zeigen',

  wallets: () => line`Damit kannst du zahlen:`,
  wallet: ({ name, places }, isPaying) => {
    const held = places.every(({ amount }) => amount === null) ? '?' : people(sumOf(places));
    return line`${strong(nameForPayer(name ?? 'Die Wallet dieses Chats', 'de'))}: ${held} USDC${where(places)}${isPaying ? ' (zahlt gerade)' : ''}`;
  },
  onlyWallet: () =>
    line`Geld, das du abholst und hier aufbewahrst, erscheint in dieser Liste, und du kannst damit sofort Trinkgeld geben.`,
  payFrom: (name) => `Mit ${nameForPayer(name ?? 'der Wallet dieses Chats', 'de')} zahlen`,
  choseWallet: (name) =>
    name === null
      ? line`Ab jetzt werden deine Trinkgelder aus der Wallet dieses Chats gezahlt.`
      : line`Ab jetzt werden deine Trinkgelder aus dem gezahlt, was du als ${strong(nameForPayer(name, 'de'))} aufbewahrst.`,
  noSuchWallet: () => line`Daraus kannst du nicht mehr zahlen. ${code('/wallet')} zeigt, was du hast.`,

  newcomers: ({ name, count, at, isGuarded }) =>
    isGuarded
      ? line`${count === 1 ? 'Jemand hat sich' : `${String(count)} andere haben sich`} von einem anderen Ort aus bei ${name === null ? 'der Wallet dieses Chats' : strong(nameForPayer(name, 'de'))} angemeldet. Auszahlen geht von dort ab ${strong(`${times.format(at)} UTC`)} und dauert ohne den Passkey noch ${WITHOUT_PASSKEY_HOURS} Stunden.`
      : line`${count === 1 ? 'Jemand hat sich' : `${String(count)} andere haben sich`} von einem anderen Ort aus bei ${name === null ? 'der Wallet dieses Chats' : strong(nameForPayer(name, 'de'))} angemeldet. Senden oder auszahlen geht von dort ab ${strong(`${times.format(at)} UTC`)}.`,
  passkeyWaits: ({ name, change, at }) =>
    change === 'added'
      ? line`Zu ${name === null ? 'der Wallet dieses Chats' : strong(nameForPayer(name, 'de'))} kam ein Passkey hinzu. Ab ${strong(`${times.format(at)} UTC`)} geht Geld mit ihm hinaus.`
      : line`Ein Passkey von ${name === null ? 'der Wallet dieses Chats' : strong(nameForPayer(name, 'de'))} soll entfernt werden. Er gilt bis ${strong(`${times.format(at)} UTC`)}.`,
  endNewcomers: (name) => `Nicht ich: beenden (${nameForPayer(name ?? 'Wallet dieses Chats', 'de')})`,
  endedNewcomers: (count) => {
    if (count === null)
      return line`Beweise den Namen erst noch einmal: ${code('/claim')}, dann drücke die Schaltfläche erneut.`;
    return count === 0
      ? line`Da ist niemand mehr zu beenden: ${code('/wallet')} zeigt, was du hast.`
      : line`Erledigt. Ansehen kann es jetzt nur, wer schon vorher ausgeben konnte.`;
  },

  getPlayMoney: () => 'Mehr Spielgeld holen',
  gettingPlayMoney: () => line`Ich hole dir Spielgeld…`,
  welcome: (amount) => line`Willkommen! Du hast ${usdc(amount)} Spielgeld zum Verschicken.`,
  gotPlayMoney: (amount) => line`Fertig. Du hast jetzt ${usdc(amount)} Spielgeld.`,
  noPlayMoney: () => line`Ich konnte dir gerade kein Spielgeld holen.`,
};
