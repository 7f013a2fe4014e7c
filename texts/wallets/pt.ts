import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, strong, type Span } from '../../core/view.ts';
import type { PlaceFacts, walletsEn } from './en.ts';
import { filledPlaces, silentPlaces, sumOf } from './places.ts';
import { nameForPayer } from '../names/person.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';

const times = new Intl.DateTimeFormat('pt-BR', {
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
    .map(({ place, amount }) => `${people(amount)} na rede ${place}`)
    .join(' e ');
}

/** Where it lies needs to be said only where there is more than one place. */
function where(places: readonly PlaceFacts[]): string {
  const [first, ...others] = filledPlaces(places);
  if (places.length === 1 || first === undefined) return '';
  return others.length === 0 ? `, na rede ${first.place}` : `: ${listPlaces(places)}`;
}

function unknownPlaces(places: readonly PlaceFacts[]): string {
  const silent = silentPlaces(places).join(' e ');
  return silent === '' ? '' : ` Não consigo consultar ${silent} agora, então o que está lá não foi contado.`;
}

export const walletsPt: typeof walletsEn = {
  balance: ({ name, places }, isPlayMoney) => {
    const unknown = unknownPlaces(places);
    if (sumOf(places) === 0n && name === null) {
      return line`Você ainda não tem dinheiro aqui. ${code('/deposit')} mostra como adicionar.${unknown}`;
    }
    if (sumOf(places) === 0n)
      return line`Não sobrou nada do que você guardou como ${strong(nameForPayer(name ?? '', 'pt'))}.${unknown}`;
    const kept = name === null ? '' : ` no que você guardou como ${nameForPayer(name, 'pt')}`;
    const kind = isPlayMoney ? ' de teste' : '';
    return line`Você tem ${usdc(sumOf(places))}${kind}${kept}${where(places)}.${unknown}`;
  },
  inSeveralPlaces: (places) =>
    filledPlaces(places).length < 2
      ? []
      : [line`Uma gorjeta é paga a partir de uma rede só, e você tem ${listPlaces(places)}.`],
  waits: (amount, isAll) =>
    line`${usdc(amount)} ${isAll ? 'esperam por você; ainda não há mais nada para gastar' : 'ainda esperam por você'}. Resgate com ${code('/claim')}.`,
  soFar: (received, sent) => line`Até agora você recebeu ${people(received)} USDC e enviou ${people(sent)} USDC.`,

  addressesOf: (name) => line`Suas gorjetas são pagas com o que você guardou como ${strong(nameForPayer(name, 'pt'))}.`,
  playDeposit: (addresses) => [
    ...addresses.flatMap(({ place, address }) => [
      line`Seu dinheiro de teste fica neste endereço, em uma cópia da rede ${place} que roda neste computador:`,
      line`${code(address)}`,
    ]),
    line`Nunca envie dinheiro real para ${addresses.length > 1 ? 'estes endereços' : 'este endereço'}: ninguém conseguiria recuperar.`,
  ],
  deposit: (addresses) => {
    const only =
      addresses.length > 1 ? 'para cada endereço só pela rede dele' : `só pela rede ${addresses[0]?.place ?? ''}`;
    return [
      ...addresses.flatMap(({ place, address }, index) => [
        index === 0
          ? line`Para adicionar dinheiro, envie ${strong(`USDC na rede ${place}`)} para o seu endereço:`
          : line`Ou envie ${strong(`USDC na rede ${place}`)} para este:`,
        line`${code(address)}`,
      ]),
      line`Aparece em ${code('/balance')} em até um minuto. Só USDC, e ${only}: fora disso, o dinheiro pode se perder.`,
    ];
  },
  showQrCode: () => 'Mostrar como código QR',

  wallets: () => line`Você pode pagar com:`,
  wallet: ({ name, places }, isPaying) => {
    const held = places.every(({ amount }) => amount === null) ? '?' : people(sumOf(places));
    return line`${strong(nameForPayer(name ?? 'A carteira deste chat', 'pt'))}: ${held} USDC${where(places)}${isPaying ? ' (paga agora)' : ''}`;
  },
  onlyWallet: () =>
    line`O dinheiro que você resgatar e guardar aqui aparece nesta lista, e você já pode dar gorjetas com ele.`,
  payFrom: (name) => `Pagar com ${nameForPayer(name ?? 'a carteira deste chat', 'pt')}`,
  choseWallet: (name) =>
    name === null
      ? line`A partir de agora suas gorjetas são pagas com a carteira deste chat.`
      : line`A partir de agora suas gorjetas são pagas com o que você guardou como ${strong(nameForPayer(name, 'pt'))}.`,
  noSuchWallet: () => line`Você não pode mais pagar com essa. ${code('/wallet')} mostra o que você tem.`,

  newcomers: ({ name, count, at, isGuarded }) =>
    isGuarded
      ? line`${count === 1 ? 'Alguém acessou' : `Outras ${String(count)} pessoas acessaram`} de outro lugar ${name === null ? 'a carteira deste chat' : strong(nameForPayer(name, 'pt'))}. A partir de ${strong(`${times.format(at)} UTC`)} será possível pedir um saque de lá, que sem a chave de acesso leva mais ${WITHOUT_PASSKEY_HOURS} horas.`
      : line`${count === 1 ? 'Alguém acessou' : `Outras ${String(count)} pessoas acessaram`} de outro lugar ${name === null ? 'a carteira deste chat' : strong(nameForPayer(name, 'pt'))}. De lá será possível enviar ou sacar a partir de ${strong(`${times.format(at)} UTC`)}.`,
  passkeyWaits: ({ name, change, at }) =>
    change === 'added'
      ? line`Uma chave de acesso foi adicionada para ${name === null ? 'a carteira deste chat' : strong(nameForPayer(name, 'pt'))}. Ela será usada para enviar e sacar a partir de ${strong(`${times.format(at)} UTC`)}.`
      : line`Uma chave de acesso ${name === null ? 'da' : 'de'} ${name === null ? 'carteira deste chat' : strong(nameForPayer(name, 'pt'))} será removida. Ela vale até ${strong(`${times.format(at)} UTC`)}.`,
  endNewcomers: (name) => `Não fui eu: encerrar acesso (${nameForPayer(name ?? 'carteira deste chat', 'pt')})`,
  endedNewcomers: (count) => {
    if (count === null)
      return line`Primeiro comprove o nome de novo: ${code('/claim')}, e depois toque no botão outra vez.`;
    return count === 0
      ? line`Não há mais nenhum acesso para encerrar: ${code('/wallet')} mostra o que você tem.`
      : line`Pronto. Agora só vê quem já podia gastar antes.`;
  },

  getPlayMoney: () => 'Pegar mais dinheiro de teste',
  gettingPlayMoney: () => line`Pegando dinheiro de teste para você…`,
  welcome: (amount) => line`Boas-vindas! Você tem ${usdc(amount)} de teste para enviar.`,
  gotPlayMoney: (amount) => line`Pronto. Agora você tem ${usdc(amount)} de teste.`,
  noPlayMoney: () => line`Não consegui pegar dinheiro de teste para você agora.`,
};
