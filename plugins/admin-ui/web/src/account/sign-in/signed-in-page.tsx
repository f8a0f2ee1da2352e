import { Anchor, Text } from '@mantine/core';
import { basePath } from '../../common/base-path';
import { SingleCard } from '../single-card';

/** Ends a sign-in in another window, so that the first one keeps its input. */
export function SignedInPage() {
  return (
    <SingleCard title="You are signed in">
      <Text>Close this window and continue in the other one.</Text>
      <Anchor href={`${basePath}/`}>Continue here instead</Anchor>
    </SingleCard>
  );
}
