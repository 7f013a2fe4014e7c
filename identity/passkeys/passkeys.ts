import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { isIP } from 'node:net';
import { z } from 'zod';
import { parseUnambiguous } from '../../core/http/repeated-key.ts';

/** What we keep of a passkey; the key is public, in COSE, as base64url like the id. */
export type PasskeyRecord = { id: string; publicKey: string; counter: number; transports: string[] };

/** `challenge`: a text of ours that names what is agreed to, so that one signature is good for nothing else. */
export type Passkeys = {
  creationOptions: (wanted: {
    challenge: string;
    /** Opaque, the same for each passkey of one purse: an authenticator keeps one for it. */
    ownerId: string;
    ownerName: string;
    known: readonly PasskeyRecord[];
  }) => Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** `known`: which may sign; none named: the person's browser offers all that it has for us. */
  requestOptions: (wanted: {
    challenge: string;
    known: readonly PasskeyRecord[];
  }) => Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** The id that an answer names, not proven yet; null for what is no answer of a browser. */
  idIn: (answer: string) => string | null;
  /** Null for what was not made here, for this challenge, by a person who was there. */
  readCreated: (answer: string, challenges: readonly string[]) => Promise<PasskeyRecord | null>;
  /** The count after this signature; null for what this passkey has not signed, for this challenge. */
  readSigned: (answer: string, challenges: readonly string[], passkey: PasskeyRecord) => Promise<number | null>;
};

/** More than the longest attestation that we ask for, which is none. */
const ANSWER_BYTES_MAX = 4_000;

/**
 * Passkeys for the site at this address; null where browsers have none, because it has no name. Nothing is asked about the
 * make of an authenticator, so no certificate is ever read.
 */
export function createPasskeys(publicUrl: string): Passkeys | null {
  const { origin: expectedOrigin, hostname: expectedRPID } = new URL(publicUrl);
  if (isIP(expectedRPID) !== 0 || expectedRPID.startsWith('[')) return null;
  const site = { expectedOrigin, expectedRPID, requireUserVerification: true };
  const expecting = (challenges: readonly string[]) => (found: string) => challenges.map(toChallenge).includes(found);
  const named = (known: readonly PasskeyRecord[]) =>
    known.map(({ id, transports }) => ({ id, transports: toTransports(transports) }));
  return {
    creationOptions: ({ challenge, ownerId, ownerName, known }) =>
      generateRegistrationOptions({
        rpName: 'pennypost',
        rpID: expectedRPID,
        userID: new Uint8Array(Buffer.from(ownerId)),
        userName: ownerName,
        challenge: new Uint8Array(Buffer.from(challenge)),
        attestationType: 'none',
        excludeCredentials: named(known),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      }),
    requestOptions: ({ challenge, known }) =>
      generateAuthenticationOptions({
        rpID: expectedRPID,
        challenge: new Uint8Array(Buffer.from(challenge)),
        allowCredentials: named(known),
        userVerification: 'required',
      }),
    idIn: (answer) => readAnswer(signedSchema, answer)?.id ?? null,
    readCreated: async (answer, challenges) => {
      const response = readAnswer(createdSchema, answer);
      if (response === null) return null;
      try {
        const made = await verifyRegistrationResponse({ ...site, response, expectedChallenge: expecting(challenges) });
        if (!made.verified) return null;
        const { id, publicKey, counter } = made.registrationInfo.credential;
        const { transports = [] } = response.response;
        return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
      } catch {
        // The library throws for each thing that is not as it must be; what it was is of no use to the person.
        return null;
      }
    },
    readSigned: async (answer, challenges, { id, publicKey, counter, transports }) => {
      const response = readAnswer(signedSchema, answer);
      if (response === null || response.id !== id) return null;
      const credential = {
        id,
        publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
        counter,
        transports: toTransports(transports),
      };
      try {
        const expectedChallenge = expecting(challenges);
        const signed = await verifyAuthenticationResponse({ ...site, response, credential, expectedChallenge });
        return signed.verified ? signed.authenticationInfo.newCounter : null;
      } catch {
        return null;
      }
    },
  };
}

const toChallenge = (text: string): string => Buffer.from(text).toString('base64url');

const part = z.string().regex(/^[A-Za-z0-9_-]{1,3000}$/);
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
type Transport = (typeof TRANSPORTS)[number];

function toTransports(names: readonly string[]): Transport[] {
  return TRANSPORTS.filter((known) => names.includes(known));
}

const common = { id: part, rawId: part, type: z.literal('public-key'), clientExtensionResults: z.object({}) };
const createdSchema: z.ZodType<RegistrationResponseJSON> = z.object({
  ...common,
  response: z.object({
    clientDataJSON: part,
    attestationObject: part,
    transports: z.array(z.enum(TRANSPORTS)).max(TRANSPORTS.length).optional().catch(undefined),
  }),
});
const signedSchema: z.ZodType<AuthenticationResponseJSON> = z.object({
  ...common,
  response: z.object({ clientDataJSON: part, authenticatorData: part, signature: part }),
});

function readAnswer<T>(schema: z.ZodType<T>, answer: string): T | null {
  if (answer.length > ANSWER_BYTES_MAX) return null;
  return schema.safeParse(parseUnambiguous(answer)).data ?? null;
}
