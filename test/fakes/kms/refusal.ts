/** The service's errors that we can meet, and their status (AWS KMS API Reference, "Sign", "Common Errors"). */
const STATUS = {
  AccessDeniedException: 400,
  DisabledException: 400,
  DryRunOperationException: 412,
  IncompleteSignatureException: 400,
  InvalidKeyUsageException: 400,
  InvalidSignatureException: 400,
  KMSInternalException: 500,
  KMSInvalidStateException: 400,
  KeyUnavailableException: 500,
  MissingAuthenticationTokenException: 400,
  NotFoundException: 400,
  SerializationException: 400,
  ThrottlingException: 400,
  UnknownOperationException: 400,
  UnrecognizedClientException: 400,
  ValidationException: 400,
} as const;

export type KmsErrorName = keyof typeof STATUS;

export class KmsRefusal extends Error {
  readonly type: KmsErrorName;

  constructor(type: KmsErrorName, message: string) {
    super(message);
    this.name = 'KmsRefusal';
    this.type = type;
  }

  get status(): number {
    return STATUS[this.type];
  }
}
