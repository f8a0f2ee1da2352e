/** As npm allows it for new packages. */
const packageName = /^(@[a-z0-9][\w.~-]*\/)?[a-z0-9][\w.~-]*$/i;
const maxNameLength = 214;

/** Whether npm takes this for the name of a package, and not for a file. */
export function isPackageName(name: string): boolean {
  return name.length <= maxNameLength && packageName.test(name) && !/\.(tgz|tar|tar\.gz)$/i.test(name);
}
