/**
 * The relay of Sign In With Farcaster and, at the address that a channel gives out, the app on the person's phone: it
 * shows the request and signs it as any person the newcomer chooses.
 */
import { z } from 'zod';
import { parseDecsocial } from '../../core/platforms/decsocial.ts';
import { isProblem } from '../../core/platforms/parsed-name.ts';
import type { RandomBytes } from '../../core/ids.ts';
import { createBoundedMap } from './bounded-map.ts';
import type { FarcasterPeople, FarcasterPerson } from './farcaster-people.ts';
import { html, type Html } from './html.ts';
import { PAGE_HEADERS, renderPage } from './page.ts';
import { startStandIn, type Question, type Reply, type StandIn } from './server.ts';

export type RelayOptions = { people: FarcasterPeople; random: RandomBytes; now: () => number };

export type SignInRequest = z.infer<typeof requestSchema>;

export type RelayStandIn = StandIn & {
  /** What the app does when the person agrees. Another builder of messages is a wallet that does not do as asked. */
  sign: (channelToken: string, person: FarcasterPerson, toMessage?: typeof toSignInMessage) => Promise<void>;
};

/** As strict as the relay itself: what it does not know is refused. */
const requestSchema = z.strictObject({
  siweUri: z.url(),
  domain: z.string().regex(/^[a-zA-Z0-9.-]+(:[0-9]+)?$/),
  nonce: z.string().regex(/^[a-zA-Z0-9]{8,}$/),
  notBefore: z.iso.datetime().optional(),
  expirationTime: z.iso.datetime().optional(),
  requestId: z.string().optional(),
  redirectUrl: z.string().optional(),
  acceptAuthAddress: z.boolean().default(true),
});

type Channel = { request: SignInRequest; completed: { message: string; signature: string; fid: number } | null };
type Context = { channels: Map<string, Channel>; options: RelayOptions; url: () => string };

const KEPT_MAX = 1_000;
const APP_PATH = '/~/siwf';

export async function startRelayStandIn(options: RelayOptions): Promise<RelayStandIn> {
  const channels = createBoundedMap<string, Channel>(KEPT_MAX);
  const context: Context = { channels, options, url: () => standIn.url };
  const standIn: StandIn = await startStandIn((question) => {
    const { method, path } = question;
    if (path === '/v1/channel' && method === 'POST') return open(context, question);
    if (path === '/v1/channel/status' && method === 'GET') return tellState(context, question);
    if (path === APP_PATH && method === 'GET') return showApp(context, question);
    if (path === APP_PATH && method === 'POST') return signAsChosen(context, question);
    return { status: 404, body: { error: 'Not found' } };
  });
  const sign: RelayStandIn['sign'] = (token, person, toMessage) => complete(context, token, person, toMessage);
  return { ...standIn, sign };
}

function open({ channels, options, url }: Context, { body, headers }: Question): Reply {
  const request = requestSchema.safeParse(parseJson(body));
  if (!request.success || headers['content-type'] !== 'application/json') {
    return { status: 400, body: { error: 'Validation error' } };
  }
  const channelToken = Buffer.from(options.random(16)).toString('hex');
  channels.set(channelToken, { request: request.data, completed: null });
  const link = `${url()}${APP_PATH}?channelToken=${channelToken}`;
  return { status: 201, body: { channelToken, url: link, connectUri: link, nonce: request.data.nonce } };
}

/** A signature is handed out once, and the channel forgotten with it. */
function tellState({ channels }: Context, { headers }: Question): Reply {
  const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
  const channel = channels.get(token);
  if (!channel) return { status: 401, body: { error: 'Unauthorized' } };
  const { request, completed } = channel;
  const about = { nonce: request.nonce, signatureParams: request, acceptAuthAddress: request.acceptAuthAddress };
  if (completed === null) return { status: 202, body: { state: 'pending', ...about } };
  channels.delete(token);
  return { status: 200, body: { state: 'completed', ...about, ...completed, authMethod: 'custody' } };
}

function showApp({ channels }: Context, { query }: Question): Reply {
  const token = query.get('channelToken') ?? '';
  const channel = channels.get(token);
  if (!channel || channel.completed)
    return toPage(400, 'This sign-in is over', html`<p>Go back and start it again.</p>`);
  return toPage(200, 'Sign in with Farcaster', appForm(token, channel.request, ''));
}

function appForm(token: string, { domain, siweUri }: SignInRequest, problem: string): Html {
  const about = problem === '' ? html`` : html`<p role="alert"><strong>${problem}</strong></p>`;
  return html`<p><strong>${domain}</strong> asks you to sign in. You sign for this, and nothing else:</p>
<pre>${siweUri}</pre>
${about}
<form method="post" action="${APP_PATH}">
<input type="hidden" name="channelToken" value="${token}">
<label for="name">Who do you want to be?</label>
<input id="name" name="name" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="100">
<button>Sign as this person</button>
</form>
<p>If it is not what you want, close this page: nothing happens.</p>`;
}

async function signAsChosen(context: Context, { body }: Question): Promise<Reply> {
  const form = new URLSearchParams(body);
  const token = form.get('channelToken') ?? '';
  const channel = context.channels.get(token);
  if (!channel || channel.completed)
    return toPage(400, 'This sign-in is over', html`<p>Go back and start it again.</p>`);
  const name = parseDecsocial((form.get('name') ?? '').trim().replace(/^@/, ''));
  if (isProblem(name)) {
    return toPage(
      400,
      'Sign in with Farcaster',
      appForm(token, channel.request, 'That cannot be a name on Farcaster.'),
    );
  }
  await complete(context, token, context.options.people.personOf(name.key));
  return toPage(200, 'Signed', html`<p>You are ${name.key}. Go back to the page that asked; it goes on there.</p>`);
}

async function complete(
  { channels, options }: Context,
  token: string,
  person: FarcasterPerson,
  toMessage = toSignInMessage,
): Promise<void> {
  const channel = channels.get(token);
  if (!channel) throw new Error('expected a channel that was opened');
  const message = toMessage(channel.request, person, new Date(options.now()));
  const signature = await person.sign(message);
  channels.set(token, { ...channel, completed: { message, signature, fid: person.fid } });
}

/** FIP-11, in the form of EIP-4361. Not the library's builder: it knows no domain that is an address with a port. */
export function toSignInMessage(request: SignInRequest, person: FarcasterPerson, issuedAt: Date): string {
  const { domain, siweUri, nonce, expirationTime, notBefore, requestId } = request;
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    person.address,
    '',
    'Farcaster Auth',
    '',
    `URI: ${siweUri}`,
    'Version: 1',
    'Chain ID: 10',
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt.toISOString()}`,
    ...(expirationTime === undefined ? [] : [`Expiration Time: ${expirationTime}`]),
    ...(notBefore === undefined ? [] : [`Not Before: ${notBefore}`]),
    ...(requestId === undefined ? [] : [`Request ID: ${requestId}`]),
    'Resources:',
    `- farcaster://fid/${person.fid}`,
  ].join('\n');
}

function toPage(status: number, title: string, main: Html): Reply {
  const body = renderPage({ title, standsFor: "the Farcaster app on a person's phone", main });
  return { status, body, headers: PAGE_HEADERS };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
