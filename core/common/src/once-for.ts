/** Makes something once for each object, when it is first asked for; it is kept for as long as the object. */
export function onceFor<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined || made.has(key)) return known as V;
    const added = make(key);
    made.set(key, added);
    return added;
  };
}
