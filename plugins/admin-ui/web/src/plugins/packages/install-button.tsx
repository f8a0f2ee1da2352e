import { Button } from '@mantine/core';
import { useState } from 'react';
import { PackageDialog } from './lazy-package-dialog';
import { usePackageChanging } from './use-package-change';

/** Opens the dialog that installs a plugin. */
export function InstallButton() {
  const changing = usePackageChanging();
  const [asked, setAsked] = useState({ opened: false, count: 0 });
  const close = (): void => {
    setAsked({ ...asked, opened: false });
    changing.reset();
  };
  return (
    <>
      <Button onClick={() => setAsked({ opened: true, count: asked.count + 1 })}>Install plugin …</Button>
      <PackageDialog
        // Each time an empty form.
        key={asked.count}
        plugin={undefined}
        opened={asked.opened}
        changing={changing}
        onClose={close}
        onChanged={close}
      />
    </>
  );
}
