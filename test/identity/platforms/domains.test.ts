import { describe, expect, onTestFinished, test } from 'vitest';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { createDns } from '../../../identity/dns.ts';
import { createEmailResolver } from '../../../identity/platforms/email.ts';
import { createWebResolver } from '../../../identity/platforms/web.ts';
import { startDnsServer, type DnsReply, type DnsType } from '../../../local/identity/name-server.ts';

const HOST = 'shop.example.com';

/** The records of HOST; everything that a case leaves out is an empty answer. */
type Records = Partial<Record<DnsType, DnsReply>>;

async function startDns(records: Records) {
  const server = await startDnsServer((name, type) => (name === HOST ? (records[type] ?? []) : 'no-name'));
  onTestFinished(() => server.close());
  return server;
}

async function resolve(platform: 'web' | 'email', servers: readonly string[], signal = new AbortController().signal) {
  const reasons: string[] = [];
  const tools = { dns: createDns({ servers }), report: (reason: string) => void reasons.push(reason) };
  const resolver = platform === 'web' ? createWebResolver(tools) : createEmailResolver(tools);
  const recipient = parseRecipient(platform, platform === 'web' ? HOST : `Alice@${HOST}`);
  return { resolution: await resolver(recipient, signal), reasons };
}

const all = (reply: DnsReply): Records => ({ A: reply, AAAA: reply, MX: reply, NS: reply });

describe('web', () => {
  test.each<[string, Records, string]>([
    ['an address', { A: ['93.184.216.34'] }, 'found'],
    ['an IPv6 address', { AAAA: ['2606:4700:4700::1111'] }, 'found'],
    ['mail only', { MX: ['10 mail.example.com'] }, 'found'],
    ['name servers only', { NS: ['ns1.example.com', 'ns2.example.com'] }, 'found'],
    ['everything', { A: ['93.184.216.34'], MX: ['10 mail.example.com'], NS: ['ns1.example.com'] }, 'found'],
    ['no record at all', {}, 'not-found'],
    ['no such name', all('no-name'), 'not-found'],
    ['no such name in one answer, failures in the others', { ...all('failure'), A: 'no-name' }, 'not-found'],
    ['an address beside failures', { ...all('failure'), A: ['93.184.216.34'] }, 'found'],
    ['an address beside silence', { ...all('silence'), A: ['93.184.216.34'] }, 'found'],
    ['failures', all('failure'), 'unavailable'],
    ['refusals', all('refusal'), 'unavailable'],
    ['a failure beside empty answers', { MX: 'failure' }, 'unavailable'],
  ])('%s', async (_case, records, expected) => {
    const { address } = await startDns(records);
    const { resolution, reasons } = await resolve('web', [address]);
    expect(resolution).toEqual(expected === 'found' ? { kind: 'found', stableId: HOST } : { kind: expected });
    expect(reasons).toHaveLength(expected === 'unavailable' ? 1 : 0);
  });
});

describe('email', () => {
  test.each<[string, Records, string]>([
    ['a mail server', { MX: ['10 mail.example.com'] }, 'found'],
    ['a mail server, and addresses fail', { ...all('failure'), MX: ['10 mail.example.com'] }, 'found'],
    ['a mail server beside a null MX', { MX: ['0 .', '10 mail.example.com'] }, 'found'],
    ['no mail server but an address', { A: ['93.184.216.34'] }, 'found'],
    ['no mail server but an IPv6 address', { AAAA: ['2606:4700:4700::1111'] }, 'found'],
    ['"no mail here", with an address', { MX: ['0 .'], A: ['93.184.216.34'] }, 'not-found'],
    ['name servers only', { NS: ['ns1.example.com'] }, 'not-found'],
    ['no record at all', {}, 'not-found'],
    ['no such name', all('no-name'), 'not-found'],
    ['no such name in the answer on mail, failures in the others', { ...all('failure'), MX: 'no-name' }, 'not-found'],
    ['mail servers unknown, with an address', { MX: 'failure', A: ['93.184.216.34'] }, 'unavailable'],
    ['no mail server, addresses unknown', { A: 'failure' }, 'unavailable'],
    ['failures', all('failure'), 'unavailable'],
  ])('%s', async (_case, records, expected) => {
    const { address } = await startDns(records);
    const { resolution, reasons } = await resolve('email', [address]);
    expect(resolution).toEqual(
      expected === 'found' ? { kind: 'found', stableId: `alice@${HOST}` } : { kind: expected },
    );
    expect(reasons).toHaveLength(expected === 'unavailable' ? 1 : 0);
  });

  test('only the part after the last "@" is asked for', async () => {
    const { address, questions } = await startDns({ MX: ['10 mail.example.com'] });
    await resolve('email', [address]);
    expect([...questions].toSorted()).toEqual([`A ${HOST}`, `AAAA ${HOST}`, `MX ${HOST}`]);
  });
});

describe.each(['web', 'email'] as const)('%s, when the name servers are silent', (platform) => {
  test('the signal ends the question', async () => {
    const limit = new AbortController();
    const server = await startDnsServer(() => {
      limit.abort();
      return 'silence';
    });
    onTestFinished(() => server.close());
    const { resolution, reasons } = await resolve(platform, [server.address], limit.signal);
    expect(resolution).toEqual({ kind: 'unavailable' });
    expect(reasons).toEqual(['ECANCELLED']);
  });

  test('nothing is asked for a person who has left', async () => {
    const { address, questions } = await startDns(all('no-name'));
    expect((await resolve(platform, [address], AbortSignal.abort())).resolution).toEqual({ kind: 'unavailable' });
    expect(questions).toEqual([]);
  });

  test('a lost question is asked again', async () => {
    const lost = new Set<string>();
    const server = await startDnsServer((_name, type) => {
      if (lost.has(type)) return type === 'MX' ? ['10 mail.example.com'] : [];
      lost.add(type);
      return 'silence';
    });
    onTestFinished(() => server.close());
    expect((await resolve(platform, [server.address])).resolution.kind).toBe('found');
  });

  test('the second server is asked when the first is not there', async () => {
    const { address } = await startDns({ MX: ['10 mail.example.com'] });
    expect((await resolve(platform, ['127.0.0.1:1', address])).resolution.kind).toBe('found');
  });

  test('no server there at all', async () => {
    expect((await resolve(platform, ['127.0.0.1:1'])).resolution).toEqual({ kind: 'unavailable' });
  });
});
