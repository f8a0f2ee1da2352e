interface Depending {
  readonly id: string;
  readonly dependsOn: Readonly<Record<string, string>>;
  readonly optionalDependsOn: Readonly<Record<string, string>>;
}

/** The plugins, and those that need one of them, or use it where it is there, over any number of others. */
export function concernedBy(all: readonly Depending[], plugins: readonly string[]): readonly string[] {
  const concerned = new Set(plugins);
  for (let count = -1; count !== concerned.size;) {
    count = concerned.size;
    for (const { id, dependsOn, optionalDependsOn } of all) {
      const needed = [...Object.keys(dependsOn), ...Object.keys(optionalDependsOn)];
      if (needed.some((one) => concerned.has(one))) concerned.add(id);
    }
  }
  return [...concerned];
}
