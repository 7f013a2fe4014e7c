import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, strong, type Span } from '../../core/view.ts';
import type { PlaceFacts, walletsEn } from './en.ts';
import { filledPlaces, silentPlaces, sumOf } from './places.ts';
import { nameForPayer } from '../names/person.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';

const times = new Intl.DateTimeFormat('ja', {
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
    .map(({ place, amount }) => `${place} に ${people(amount)}`)
    .join('、');
}

/** Where it lies needs to be said only where there is more than one place. */
function where(places: readonly PlaceFacts[]): string {
  const [first, ...others] = filledPlaces(places);
  if (places.length === 1 || first === undefined) return '';
  return others.length === 0 ? `（${first.place}）` : `（${listPlaces(places)}）`;
}

function unknownPlaces(places: readonly PlaceFacts[]): string {
  const silent = silentPlaces(places).join('、');
  return silent === '' ? '' : `今は ${silent} につながらないので、そこにある分は含まれていません。`;
}

export const walletsJa: typeof walletsEn = {
  balance: ({ name, places }, isPlayMoney) => {
    const unknown = unknownPlaces(places);
    if (sumOf(places) === 0n && name === null) {
      return line`まだお金がありません。入金のしかたは ${code('/deposit')} で見られます。${unknown}`;
    }
    if (sumOf(places) === 0n)
      return line`${strong(nameForPayer(name ?? '', 'ja'))} 名義の残高はもうありません。${unknown}`;
    const owner = name === null ? '' : `${nameForPayer(name, 'ja')} 名義の`;
    const kind = isPlayMoney ? 'お試し用の' : '';
    return line`${owner}${kind}残高は ${usdc(sumOf(places))} です${where(places)}。${unknown}`;
  },
  inSeveralPlaces: (places) =>
    filledPlaces(places).length < 2
      ? []
      : [line`チップは一つのネットワークから支払われます。残高は、${listPlaces(places)} です。`],
  waits: (amount, isAll) =>
    line`${isAll ? '受け取り待ちの' : 'ほかに受け取り待ちの'} ${usdc(amount)} があります${isAll ? '（ほかに使えるお金はまだありません）' : ''}。${code('/claim')} で受け取れます。`,
  soFar: (received, sent) => line`これまでに ${people(received)} USDC を受け取り、${people(sent)} USDC を送りました。`,

  addressesOf: (name) => line`チップは ${strong(nameForPayer(name, 'ja'))} 名義の残高から支払われます。`,
  playDeposit: (addresses) => [
    ...addresses.flatMap(({ place, address }) => [
      line`お試し用のお金は、このコンピューターで動く ${place} の複製の、このアドレスにあります。`,
      line`${code(address)}`,
    ]),
    line`${addresses.length > 1 ? 'これらのアドレス' : 'このアドレス'}に本物のお金は絶対に送らないでください。誰にも取り戻せません。`,
  ],
  deposit: (addresses) => {
    const only =
      addresses.length > 1
        ? '送るのは USDC だけにし、アドレスごとに決まったネットワークを使ってください。'
        : `送るのは ${addresses[0]?.place ?? ''} の USDC だけにしてください。`;
    return [
      ...addresses.flatMap(({ place, address }, index) => [
        index === 0
          ? line`入金するには、あなたのアドレスに ${strong(`${place} の USDC`)} を送ってください。`
          : line`または、こちらに ${strong(`${place} の USDC`)} を送ってください。`,
        line`${code(address)}`,
      ]),
      line`1分以内に ${code('/balance')} に反映されます。${only}それ以外は失われるおそれがあります。`,
    ];
  },
  showQrCode: () => 'QRコードで表示',

  wallets: () => line`支払いに使えるもの：`,
  wallet: ({ name, places }, isPaying) => {
    const held = places.every(({ amount }) => amount === null) ? '?' : people(sumOf(places));
    const title = name === null ? 'このチャットのウォレット' : `${nameForPayer(name, 'ja')} 名義`;
    return line`${strong(title)}: ${held} USDC${where(places)}${isPaying ? '【使用中】' : ''}`;
  },
  onlyWallet: () => line`お金を受け取ってここに保管すると、この一覧に加わり、すぐにチップに使えます。`,
  payFrom: (name) =>
    name === null ? 'このチャットのウォレットで支払う' : `${nameForPayer(name, 'ja')} 名義の残高で支払う`,
  choseWallet: (name) =>
    name === null
      ? line`これからは、このチャットのウォレットからチップを支払います。`
      : line`これからは、${strong(nameForPayer(name, 'ja'))} 名義の残高からチップを支払います。`,
  noSuchWallet: () => line`そこからはもう支払えません。今あるものは ${code('/wallet')} で見られます。`,

  newcomers: ({ name, count, at, isGuarded }) =>
    isGuarded
      ? line`${name === null ? 'このチャットのウォレット' : strong(nameForPayer(name, 'ja'))} に、別の場所から${count === 1 ? '' : ` ${String(count)} 件の`}ログインがありました。そこから出金を依頼できるのは ${strong(`${times.format(at)} UTC`)} からで、パスキーがなければ実際の出金はさらに ${WITHOUT_PASSKEY_HOURS} 時間後です。`
      : line`${name === null ? 'このチャットのウォレット' : strong(nameForPayer(name, 'ja'))} に、別の場所から${count === 1 ? '' : ` ${String(count)} 件の`}ログインがありました。そこから送金や出金ができるのは ${strong(`${times.format(at)} UTC`)} からです。`,
  passkeyWaits: ({ name, change, at }) =>
    change === 'added'
      ? line`${name === null ? 'このチャットのウォレット' : strong(nameForPayer(name, 'ja'))} にパスキーが追加されました。${strong(`${times.format(at)} UTC`)} からは、送金や出金にこのパスキーを使います。`
      : line`${name === null ? 'このチャットのウォレット' : strong(nameForPayer(name, 'ja'))} のパスキーが削除される予定です。${strong(`${times.format(at)} UTC`)} まで有効です。`,
  endNewcomers: (name) => `自分ではない：ログインを終了（${nameForPayer(name ?? 'このチャットのウォレット', 'ja')}）`,
  endedNewcomers: (count) => {
    if (count === null)
      return line`先に ${code('/claim')} でもう一度お名前を確認してから、ボタンをもう一度押してください。`;
    return count === 0
      ? line`終了するログインはもうありません。今あるものは ${code('/wallet')} で見られます。`
      : line`終了しました。今見られるのは、以前から支払いができた人だけです。`;
  },

  getPlayMoney: () => 'お試し用のお金をもっともらう',
  gettingPlayMoney: () => line`お試し用のお金を用意しています…`,
  welcome: (amount) => line`ようこそ！お試し用のお金が ${usdc(amount)} あります。自由に送ってみてください。`,
  gotPlayMoney: (amount) => line`用意できました。お試し用のお金は、今 ${usdc(amount)} です。`,
  noPlayMoney: () => line`今は、お試し用のお金を用意できませんでした。`,
};
