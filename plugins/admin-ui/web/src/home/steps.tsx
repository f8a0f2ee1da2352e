import type { ModelInfo } from '@gantry/contracts';
import { Code, Group, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { nameInSentence } from '../content/name-in-sentence';
import { DocumentLink } from '../documentation';
import { LinkButton } from '../ui/page/link-button';
import { Surface } from '../ui/surface';

/** More are in the menu of the page. */
const maxTypes = 8;

export interface FirstStepsProps {
  readonly mayAddTypes: boolean;
  /** Types of which the reader may create items. */
  readonly types: readonly ModelInfo[];
}

/** For a platform that holds nothing yet: what a newcomer does first, and where to read more; for who runs it, with the commands. */
export function FirstSteps({ mayAddTypes, types }: FirstStepsProps) {
  return (
    <Surface title="First steps">
      <Text size="sm" c="dimmed" mb="sm">
        There is no content yet. <DocumentLink name="getting-started">Getting started</DocumentLink> walks through all
        of this in ten minutes.
      </Text>
      <List type="ordered" spacing="sm">
        <List.Item>
          <b>Create an item.</b> Create catalogs before products, or create them from the product form.
          <Group gap="xs" mt="xs">
            {types.slice(0, maxTypes).map(({ type, displayName }) => (
              <LinkButton key={type} to={`/content/${type}/new`} size="xs" variant="default">
                New {nameInSentence(displayName)}
              </LinkButton>
            ))}
          </Group>
        </List.Item>
        <List.Item>
          <b>Import your data.</b> <i>Import</i> in the menu <i>More</i> of a list takes CSV and JSON files
          {mayAddTypes ? (
            <>
              , and so does a terminal:
              <Command>npx gantry items import &lt;type&gt; &lt;file&gt;</Command>
            </>
          ) : (
            '. '
          )}
          More in <DocumentLink name="import-and-export">Import and export</DocumentLink>.
        </List.Item>
        {mayAddTypes ? (
          <List.Item>
            <b>Write a plugin.</b> <DocumentLink name="writing-a-plugin">Writing a plugin</DocumentLink> builds one that
            contributes your own type. Put it into the folder <Code>plugins</Code>, then check and enable it:
            <Command>npx gantry plugins enable &lt;id&gt;</Command>
          </List.Item>
        ) : null}
      </List>
    </Surface>
  );
}

function Command({ children }: { readonly children: ReactNode }) {
  return (
    <Code block my="icon" w="fit-content" maw="100%" tabIndex={0}>
      {children}
    </Code>
  );
}
