import { Anchor, Code, List, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { DocumentLink } from '../documentation';
import { Surface } from '../ui/surface';

/** For a platform that holds nothing yet: what a newcomer does first, and where to read more; for who runs it, with the commands. */
export function FirstSteps({ mayAddTypes }: { readonly mayAddTypes: boolean }) {
  return (
    <Surface title="First steps">
      <Text size="sm" c="dimmed" mb="sm">
        There is no content yet. <DocumentLink name="getting-started">Getting started</DocumentLink> walks through all
        of this in ten minutes.
      </Text>
      <List type="ordered" spacing="sm">
        <List.Item>
          <b>Create an item.</b> Choose <i>New</i> next to a type below. Create catalogs before products, or create them
          from the product form.
        </List.Item>
        <List.Item>
          <b>Import what you have.</b> <i>Import</i> in the menu <i>More</i> of a list takes CSV and JSON files
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
            contributes your own type. Put it into the folder <Code>plugins</Code>, then have it checked and used:
            <Command>npx gantry plugins enable &lt;id&gt;</Command>
          </List.Item>
        ) : null}
      </List>
    </Surface>
  );
}

/** For everybody else. */
export function NextSteps() {
  return (
    <section aria-labelledby={headingId}>
      <Title order={2} mb="xs" id={headingId}>
        What to do next
      </Title>
      <List spacing="xs">
        <List.Item>
          Open a list above to search, change, import and export what it holds. Press <b>Ctrl K</b> to find anything.
        </List.Item>
        <List.Item>
          Add your own type: a plugin is a package with a class; its pages appear here without more work.{' '}
          <DocumentLink name="writing-a-plugin">Writing a plugin</DocumentLink> builds one. See{' '}
          <Anchor component={Link} to="/plugins" underline="always" inherit>
            the plugins
          </Anchor>{' '}
          that are there.
        </List.Item>
        <List.Item>
          Use everything from a program: the{' '}
          <Anchor href="/api/docs" underline="always" inherit>
            REST interface
          </Anchor>{' '}
          describes every type.
        </List.Item>
      </List>
    </section>
  );
}

const headingId = 'steps';

function Command({ children }: { readonly children: ReactNode }) {
  return (
    <Code block my="icon" w="fit-content" maw="100%" tabIndex={0}>
      {children}
    </Code>
  );
}
