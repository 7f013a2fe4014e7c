/** A stand-in's memory: the oldest entry goes when there are too many, because nothing else cleans up. */
export function createBoundedMap<Key, Value>(max: number): Map<Key, Value> {
  return new (class extends Map<Key, Value> {
    override set(key: Key, value: Value): this {
      super.set(key, value);
      const [oldest] = this.keys();
      if (this.size > max && oldest !== undefined) this.delete(oldest);
      return this;
    }
  })();
}
