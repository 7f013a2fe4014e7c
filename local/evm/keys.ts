import { z } from 'zod';

/** 32 bytes as `0x…`, as viem makes them. The type is earned by the pattern. */
export const privateKeySchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);
