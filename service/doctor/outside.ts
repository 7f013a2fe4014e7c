import { isLoopback } from '../../core/config/readers.ts';
import { signInName } from '../../core/config/variables.ts';
import { OAUTH_PLATFORMS, platformRow } from '../../core/platforms/platforms.ts';
import { signInEndpoints } from '../../identity/platforms/offered.ts';
import { checkBots } from './bots.ts';
import { fine, looking, note, wrong, type Finding } from './finding.ts';
import type { World } from './world.ts';

/** Everything that others run, or that others see of us. */
export async function checkOutside(world: World): Promise<Finding[]> {
  const found = await Promise.all([
    checkAddress(world),
    checkLinks(world),
    checkMail(world),
    checkSignIns(world),
    checkBots(world),
  ]);
  return found.flat();
}

async function checkAddress({ config, asks }: World): Promise<readonly Finding[]> {
  const { baseUrl, isBaseUrlGiven, trustedProxies } = config.http;
  const subject = 'address';
  const cure = 'set BASE_URL to the https address at which people reach this service, and let a proxy lead it here';
  if (baseUrl === undefined || !isBaseUrlGiven) return [wrong(subject, 'BASE_URL is not set', cure)];
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== 'https:' && isLoopback(hostname)) {
    return [wrong(subject, `${baseUrl} can be reached from this computer only`, cure)];
  }
  const proxy =
    trustedProxies.length > 0
      ? fine('proxy', `${trustedProxies.join(', ')} may say who asks`)
      : wrong(
          'proxy',
          'https ends before this process, and no proxy is trusted: all people would share one rate limit',
          'set TRUSTED_PROXIES to the addresses of the proxy',
        );
  const reached = await looking(subject, 'check the certificate, the name and the proxy', async () => {
    const status = await asks.status(`${baseUrl}/health/live`).catch((error: unknown) => {
      if (isNobodyThere(error)) return null;
      throw error;
    });
    if (status === null) {
      return note(
        subject,
        `nobody answers at ${baseUrl}`,
        'expected while the service is not started; else check the proxy',
      );
    }
    if (status === 200) return fine(subject, baseUrl);
    return note(
      subject,
      `${baseUrl} answers ${status}`,
      'expected while the service is not started; else check the proxy',
    );
  });
  return [...reached, proxy];
}

/** The name resolves, but nobody listens yet: mainnet starts only after this check. A bad certificate or name is worse. */
function isNobodyThere(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error && 'code' in cause && (cause.code === 'ECONNREFUSED' || cause.code === 'ECONNRESET');
}

async function checkLinks({ config, asks }: World): Promise<readonly Finding[]> {
  const { supportUrl, termsUrl } = config.operator;
  const links = Object.entries({ SUPPORT_URL: supportUrl, TERMS_URL: termsUrl });
  const found = links.map(([name, url]) => {
    const cure = `set ${name} to a page that people can open`;
    if (url === undefined) return Promise.resolve([wrong('links', `${name} is not set`, cure)]);
    if (url.startsWith('mailto:')) return Promise.resolve([fine('links', `${name}: ${url}`)]);
    return looking('links', cure, async () => {
      const status = await asks.status(url);
      return status < 400 ? fine('links', `${name}: ${url}`) : wrong('links', `${name} answers ${status}`, cure);
    });
  });
  return (await Promise.all(found)).flat();
}

async function checkMail({ config, asks }: World): Promise<readonly Finding[]> {
  const { smtpUrl } = config.identity;
  if (smtpUrl === undefined) return [];
  const cure = 'check SMTP_URL: host, port, user and password, and that the server offers TLS';
  return looking('mail', cure, async () =>
    (await asks.mailServer())
      ? fine('mail', 'the server lets us in')
      : wrong('mail', 'the server does not let us in', cure),
  );
}

async function checkSignIns({ config, asks }: World): Promise<readonly Finding[]> {
  const offered = OAUTH_PLATFORMS.filter((platform) => config.identity[platform].clientId !== undefined);
  const found = offered.map((platform) => {
    const subject = `sign-in, ${platformRow(platform).title}`;
    const cure = `check ${signInName(platform, 'AUTH_URL')} and ${signInName(platform, 'TOKEN_URL')}, or leave both out`;
    const { authUrl, tokenUrl } = signInEndpoints(config.identity, platform);
    return looking(subject, cure, async () => {
      const [auth, token] = await Promise.all([asks.status(authUrl), asks.status(tokenUrl)]);
      // Without a client's words they refuse; what does not exist or is broken says so otherwise.
      const isThere = (status: number) => status < 500 && status !== 404 && status !== 410;
      if (isThere(auth) && (isThere(token) || token === 404)) return fine(subject, new URL(authUrl).host);
      return wrong(subject, `its endpoints answer ${auth} and ${token}`, cure);
    });
  });
  return (await Promise.all(found)).flat();
}
