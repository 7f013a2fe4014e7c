import { sumUsdc, type MicroUsdc } from '../../core/money.ts';
import type { PlaceFacts } from './en.ts';

/** Of a place that does not answer nobody knows anything, so it counts as nothing. */
export const sumOf = (places: readonly PlaceFacts[]): MicroUsdc =>
  sumUsdc(places.flatMap(({ amount }) => amount ?? []));

/** Where something is known to lie. */
export function filledPlaces(places: readonly PlaceFacts[]): { place: string; amount: MicroUsdc }[] {
  return places.flatMap(({ place, amount }) => (amount === null || amount === 0n ? [] : [{ place, amount }]));
}

/** The names of those that do not answer just now. */
export function silentPlaces(places: readonly PlaceFacts[]): string[] {
  return places.filter(({ amount }) => amount === null).map(({ place }) => place);
}
