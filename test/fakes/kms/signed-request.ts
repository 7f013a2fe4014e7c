/** Signature Version 4, checked as the service checks it (AWS General Reference, "Signature Version 4 signing process"). */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { KmsRefusal } from './refusal.ts';

const SKEW_MAX_MS = 5 * 60_000;
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([A-Z0-9]{16,32})\/(\d{8})\/([a-z0-9-]+)\/kms\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;
const DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
/** What has to be signed: with less, a proxy could turn one call into another. */
const SIGNED = ['host', 'x-amz-date', 'x-amz-target'];

export type Credentials = { accessKeyId: string; secretAccessKey: string };

/** Throws the service's own errors. */
export function checkSignature(
  headers: IncomingHttpHeaders,
  body: Buffer,
  { region, credentials, nowMs }: { region: string; credentials: Credentials; nowMs: number },
): void {
  const given = headers.authorization;
  if (given === undefined)
    throw new KmsRefusal('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
  const [, id, day = '', zone, names = '', signature] = AUTHORIZATION.exec(given) ?? [];
  if (id === undefined)
    throw new KmsRefusal('IncompleteSignatureException', 'the Authorization header has another form');
  if (id !== credentials.accessKeyId)
    throw new KmsRefusal('UnrecognizedClientException', 'The security token included in the request is invalid.');
  const date = String(headers['x-amz-date'] ?? '');
  const at = DATE.exec(date);
  if (at === null || !date.startsWith(day))
    throw new KmsRefusal('IncompleteSignatureException', 'the date has another form');
  const [, year, month, dayOfMonth, hour, minute, second] = at;
  const atMs = Date.parse(`${year}-${month}-${dayOfMonth}T${hour}:${minute}:${second}Z`);
  if (!(Math.abs(nowMs - atMs) <= SKEW_MAX_MS)) throw new KmsRefusal('InvalidSignatureException', 'Signature expired');
  if (zone !== region)
    throw new KmsRefusal('InvalidSignatureException', `Credential should be scoped to a valid region, not '${zone}'.`);
  const signed = names.split(';');
  const isSorted = signed.join() === signed.toSorted().join();
  if (!isSorted || SIGNED.some((name) => !signed.includes(name))) {
    throw new KmsRefusal('InvalidSignatureException', `these headers must be signed: ${SIGNED.join(', ')}`);
  }
  const canonical = [
    'POST',
    '/',
    '',
    ...signed.map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}`,
    ),
    '',
    names,
    sha256(body),
  ].join('\n');
  const scope = `${day}/${region}/kms/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(Buffer.from(canonical))].join('\n');
  const key = [day, region, 'kms', 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${credentials.secretAccessKey}`,
  );
  if (createHmac('sha256', key).update(text).digest('hex') !== signature) {
    throw new KmsRefusal(
      'InvalidSignatureException',
      'The request signature we calculated does not match the signature you provided.',
    );
  }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
