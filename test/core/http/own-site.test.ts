import { expect, test } from 'vitest';
import { pageOf } from '../../../core/http/own-site.ts';

const PUBLIC = 'https://pay.example';
const LOCAL = 'http://127.0.0.1:8402';

test.each<[string, string | undefined, string | undefined, string]>([
  [PUBLIC, undefined, undefined, 'none'],
  [PUBLIC, 'same-origin', undefined, 'own'],
  [PUBLIC, 'none', undefined, 'own'],
  [PUBLIC, 'same-origin', 'https://pay.example', 'own'],
  [PUBLIC, undefined, 'https://pay.example', 'own'],
  [PUBLIC, undefined, 'http://pay.example', 'foreign'],
  [PUBLIC, undefined, 'https://pay.example:8443', 'foreign'],
  [PUBLIC, 'same-origin', 'https://evil.example', 'foreign'],
  [PUBLIC, 'same-site', 'https://pay.example', 'foreign'],
  [PUBLIC, 'cross-site', undefined, 'foreign'],
  [PUBLIC, undefined, 'null', 'foreign'],
  [LOCAL, 'same-origin', 'http://localhost:8402', 'own'],
  [LOCAL, 'same-origin', 'http://[::1]:8402', 'own'],
  [LOCAL, 'same-origin', 'http://localhost:3000', 'foreign'],
  [LOCAL, 'same-origin', 'http://evil.example:8402', 'foreign'],
])('at %s, Sec-Fetch-Site %s and Origin %s: %s', (baseUrl, site, origin, page) => {
  expect(pageOf({ site, origin }, baseUrl)).toBe(page);
});
