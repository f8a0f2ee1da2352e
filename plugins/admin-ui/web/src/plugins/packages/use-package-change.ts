import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import type { ChangeAnswer } from '../plugin-api';
import { installPackage, uninstallPlugin, upgradeToPackage, type FoundPackage } from './package-api';
import { useChangeBegun } from '../change/use-plugin-change';

/** Ways to change the packages of plugins. */
export interface PackageChanging {
  readonly install: UseMutationResult<ChangeAnswer, Error, { readonly found: FoundPackage; readonly enabled: boolean }>;
  readonly upgrade: UseMutationResult<ChangeAnswer, Error, FoundPackage>;
  readonly uninstall: UseMutationResult<ChangeAnswer, Error, string>;
  /** Forgets how the last ones went. */
  reset(): void;
}

export function usePackageChanging(): PackageChanging {
  const onSuccess = useChangeBegun();
  const shared = { networkMode: 'always', onSuccess } as const;
  const install = useMutation({
    mutationFn: ({ found, enabled }: { readonly found: FoundPackage; readonly enabled: boolean }) =>
      installPackage(found, enabled),
    ...shared,
  });
  const upgrade = useMutation({ mutationFn: upgradeToPackage, ...shared });
  const uninstall = useMutation({ mutationFn: uninstallPlugin, ...shared });
  return {
    ...{ install, upgrade, uninstall },
    reset: () => {
      install.reset();
      upgrade.reset();
      uninstall.reset();
    },
  };
}
