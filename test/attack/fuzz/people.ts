/** What people and chats speak to: pages, their forms, the web chat, and the webhook of Telegram. */
import fc from 'fast-check';
import { browserIdOf } from '../../../identity/browsers.ts';
import {
  BROUGHT,
  brought,
  JSON_TYPE,
  nearly,
  odd,
  toRequest,
  visitor,
  type Entrance,
  type Headers,
  type Visitor,
} from './parts.ts';

const PAGES = [
  '/',
  '/docs',
  '/purse',
  '/chat',
  '/llms.txt',
  '/openapi.json',
  '/.well-known/agent-card.json',
  '/receipts/*',
  '/receipts/*/preview.png',
  '/claim/x/*',
  '/claim/email/*',
  '/claim/*',
  '/claims/*',
  '/claims/@claim',
  '/claims/mail/*',
  '/claims/callback/*',
  '/rewards/*',
  '/rewards/*/shares.csv',
  '/pay/*',
  '/pay/reward/*',
  '/purse?page=*',
  '/purse/sends/@order',
  '/purse/sends/*',
  '/purse/sign-out',
  '/purse/movements?of=*',
  '/purse/files/*',
  '/purse/deposit/*',
  '/purse/withdrawals/*',
  '/chat/assets/*/*',
  '/notices/stop/*',
  '/claim/x/alice?receipt=*',
  '/claim/email/bob%40example.com?reader=*',
] as const;
/** Lone halves of a character would throw here, and are no bytes of an address. */
const inPath = (text: string): string => encodeURIComponent(Buffer.from(text).toString()) || '-';
const ACCEPTS = ['text/html', 'application/json', '*/*', 'image/png'] as const;
/** A browser of ours, or one with a cookie that nobody made. */
const browser: fc.Arbitrary<Headers> = fc.oneof(
  visitor.map(({ headers }) => headers),
  fc.constant<Headers>([['cookie', `pennypost=${BROUGHT.cookie}`]]),
);
const page = fc
  .tuple(fc.constantFrom(...PAGES), odd, fc.constantFrom(...ACCEPTS), browser, brought)
  .map(([path, part, accept, from, headers]) => {
    const target = path.replaceAll('*', () => inPath(part));
    return toRequest('GET', target, [['accept', accept], ...from, ...headers], null);
  });

type Fields = Record<string, string>;
/** A form as our page posts it; some of its fields are replaced by what no page has. */
type Form = { path: string; fields: (visitor: Visitor) => Fields };

const HANDLES = { x: 'alice', email: 'bob@example.com', web: 'example.com', code: 'octocat' } as const;
const own = ({ secret }: Visitor): Fields => ({ wallet: browserIdOf(secret) ?? '' });
const FORMS: readonly Form[] = [
  ...Object.entries(HANDLES).map(([platform, handle]) => ({
    path: '/claims',
    fields: () => ({ platform, handle, choice: 'keep' }),
  })),
  // The steps of a claim need one.
  ...['open', 'keep', 'keep', 'decline'].map((choice) => ({
    path: '/claims',
    fields: () => ({ platform: 'email', handle: 'bob@example.com', choice }),
  })),
  { path: '/claims/@claim/proof', fields: () => ({ code: '12345678' }) },
  { path: '/claims/@claim/resend', fields: () => ({}) },
  { path: '/claims/@claim/confirm', fields: () => ({ confirm_token: 'a'.repeat(43) }) },
  { path: '/claims/@claim/decline', fields: () => ({ confirm_token: 'a'.repeat(43), opt_out: 'yes' }) },
  { path: `/claims/mail/${'m'.repeat(43)}`, fields: () => ({ choice: 'keep' }) },
  { path: `/notices/stop/${'s'.repeat(40)}`, fields: () => ({}) },
  {
    path: '/purse/review',
    fields: (visitor) => ({ ...own(visitor), network: 'base', address: `0x${'ab'.repeat(20)}`, amount: '1' }),
  },
  {
    path: '/purse/pay',
    fields: (visitor) => ({ ...own(visitor), platform: 'x', name: 'alice', amount: '0.5', note: 'for the talk' }),
  },
  { path: '/purse/pay/confirm', fields: () => ({ order: '@order' }) },
  { path: '/purse/send', fields: () => ({ token: 't'.repeat(32) }) },
  { path: '/purse/cancel', fields: () => ({ withdrawal: 'w'.repeat(32) }) },
  { path: '/purse/statement', fields: (visitor) => ({ ...own(visitor), zone: 'Europe/Berlin' }) },
  { path: '/purse/signed-out', fields: () => ({}) },
  ...['only', 'end', 'leave', 'unlock'].map((name) => ({ path: `/purse/${name}`, fields: own })),
  ...['transfer', 'play'].map((name) => ({ path: `/pay/${'p'.repeat(32)}/${name}`, fields: () => ({}) })),
];

const FORM_TYPE = ['content-type', 'application/x-www-form-urlencoded'] as const;
const form = ({ origin }: Entrance) =>
  fc
    .tuple(
      fc.constantFrom(...FORMS),
      visitor,
      fc.dictionary(fc.constantFrom('handle', 'choice', 'receipt', 'wallet', 'amount', 'token', 'code', 'base'), odd, {
        maxKeys: 1,
      }),
      fc.boolean(),
    )
    .map(([{ path, fields }, from, wrong, isRight]) => {
      const body = new URLSearchParams({ ...fields(from), ...(isRight ? {} : wrong) }).toString();
      const headers = [FORM_TYPE, ['origin', origin], ['accept', 'text/html'], ...from.headers] as const;
      return toRequest('POST', path, headers, Buffer.from(body.replaceAll('%40order', '@order')));
    });

export const pages = (entrance: Entrance) => fc.oneof(page, form(entrance));

const COMMANDS = [
  '/tip',
  '/balance',
  '/deposit',
  '/withdraw',
  '/request',
  '/reward',
  '/treasury',
  '/limits',
  '/lock',
  '/unlock',
  '/block',
  '/history',
  '/privacy',
  '/link',
  '/help',
  '/undo',
];
const said = fc.oneof(
  odd,
  fc.constantFrom(...COMMANDS),
  fc.tuple(fc.constantFrom(...COMMANDS), odd, odd).map((parts) => parts.join(' ')),
  fc.constantFrom('/tip x:alice 0.5', '/tip x:alice x:bob 1 each', '/tip email:a@example.com 99999', '/tip @@ -1'),
);

export const chat = ({ origin }: Entrance) =>
  fc
    .tuple(
      visitor,
      fc.stringMatching(/^[0-9a-f]{16,36}$/).chain((event_id) =>
        fc.oneof(
          { weight: 3, arbitrary: fc.tuple(fc.constant('messages'), nearly(said.map((text) => ({ text, event_id })))) },
          {
            weight: 1,
            arbitrary: fc.tuple(fc.constant('presses'), nearly(odd.map((button) => ({ button, event_id })))),
          },
        ),
      ),
    )
    .map(([{ headers }, [path, body]]) =>
      toRequest('POST', `/chat/${path}`, [JSON_TYPE, ['origin', origin], ...headers], body),
    );

/** Many, because the messages of one person wait for each other. */
const PEOPLE = 100;
export const webhook = ({ webhookSecret }: Entrance) =>
  fc
    .tuple(
      nearly(
        fc
          .tuple(fc.integer({ min: 1, max: 2 ** 31 }), fc.integer({ min: 1, max: PEOPLE }), fc.nat(), said)
          .map(([update_id, person, message_id, text]) => {
            const place = { id: 4_200_000 + person, first_name: 'Fuzz' };
            const from = { ...place, is_bot: false, language_code: 'en' };
            const message = { message_id, date: 1_795_000_000, chat: { ...place, type: 'private' }, from, text };
            return { update_id, message };
          }),
      ),
      fc.constantFrom(webhookSecret, webhookSecret, webhookSecret, BROUGHT.key),
    )
    .map(([body, secret]) =>
      toRequest('POST', '/telegram/webhook', [JSON_TYPE, ['x-telegram-bot-api-secret-token', secret]], body),
    );
