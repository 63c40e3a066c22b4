/** Turns a publish into code for the stock SDKs of the profile. */
import type { Profile } from '../../core/contract/profile.ts';
import type { PublishParams } from '../../core/contract/publish.ts';
import { quoted, quotedWide } from './as-code.ts';

export const SDK_KINDS = ['sdkNode', 'sdkPython', 'sdkCsharp', 'sdkJava', 'sdkGo'] as const;
export type SdkKind = (typeof SDK_KINDS)[number];

/**
 * The publish as code.
 * @param sidecar address of the sidecar; some languages read it from the environment instead
 */
export function asSdk(kind: SdkKind, publish: PublishParams, profile: Profile, sidecar: string): string {
  return WRITERS[kind]({ publish, profile, sidecar });
}

interface Given {
  readonly publish: PublishParams;
  readonly profile: Profile;
  readonly sidecar: string;
}

function textOf({ data, dataBase64 }: PublishParams): string {
  if (dataBase64 !== undefined) return dataBase64;
  return typeof data === 'string' ? data : JSON.stringify(data ?? null);
}

/** The data as a value of the language, if the language can hold JSON. */
function valueOf({ data, dataBase64 }: PublishParams): string {
  if (dataBase64 !== undefined) return `Buffer.from(${quoted(dataBase64)}, 'base64')`;
  return typeof data === 'string' ? quoted(data) : JSON.stringify(data ?? null, null, 2);
}

function metadataOf({ metadata = {} }: PublishParams): readonly (readonly [string, string])[] {
  return Object.entries(metadata);
}

const WRITERS: Readonly<Record<SdkKind, (given: Given) => string>> = {
  sdkNode({ publish, profile, sidecar }) {
    const { brandWord, brandTitle } = profile;
    const { hostname, port } = new URL(sidecar);
    const metadata = metadataOf(publish);
    const options = [
      ...(publish.contentType === undefined ? [] : [`contentType: ${quoted(publish.contentType)}`]),
      ...(metadata.length === 0
        ? []
        : [`metadata: { ${metadata.map(([key, value]) => `${quoted(key)}: ${quoted(value)}`).join(', ')} }`]),
    ];
    const given = [quoted(publish.pubsubname), quoted(publish.topic), valueOf(publish)];
    if (options.length > 0) given.push(`{ ${options.join(', ')} }`);
    return [
      `import { ${brandTitle}Client } from '@${brandWord}/${brandWord}';`,
      '',
      `const client = new ${brandTitle}Client({ ${brandWord}Host: ${quoted(hostname)}, ${brandWord}Port: ${quoted(port)} });`,
      `await client.pubsub.publish(${given.join(', ')});`,
    ].join('\n');
  },

  sdkPython({ publish, profile }) {
    const { brandWord, brandTitle } = profile;
    const metadata = metadataOf(publish);
    return [
      ...(publish.dataBase64 === undefined ? [] : ['import base64']),
      `from ${brandWord}.clients import ${brandTitle}Client`,
      '',
      `with ${brandTitle}Client() as client:`,
      '    client.publish_event(',
      `        pubsub_name=${quotedWide(publish.pubsubname)},`,
      `        topic_name=${quotedWide(publish.topic)},`,
      publish.dataBase64 === undefined
        ? `        data=${quotedWide(textOf(publish))},`
        : `        data=base64.b64decode(${quotedWide(publish.dataBase64)}),`,
      ...(publish.contentType === undefined
        ? []
        : [`        data_content_type=${quotedWide(publish.contentType)},`]),
      ...(metadata.length === 0
        ? []
        : [
            `        publish_metadata={${metadata.map(([key, value]) => `${quotedWide(key)}: ${quotedWide(value)}`).join(', ')}},`,
          ]),
      '    )',
    ].join('\n');
  },

  sdkCsharp({ publish, profile }) {
    const { brandTitle } = profile;
    const metadata = metadataOf(publish);
    const bytes =
      publish.dataBase64 === undefined
        ? `System.Text.Encoding.UTF8.GetBytes(${quoted(textOf(publish))})`
        : `Convert.FromBase64String(${quoted(publish.dataBase64)})`;
    return [
      `using ${brandTitle}.Client;`,
      '',
      `using var client = new ${brandTitle}ClientBuilder().Build();`,
      'await client.PublishByteEventAsync(',
      `    ${quoted(publish.pubsubname)}, ${quoted(publish.topic)}, ${bytes},`,
      `    ${quoted(publish.contentType ?? 'text/plain')},`,
      `    new Dictionary<string, string> { ${metadata.map(([key, value]) => `[${quoted(key)}] = ${quoted(value)}`).join(', ')} });`,
    ].join('\n');
  },

  sdkJava({ publish, profile }) {
    const { brandWord, brandTitle } = profile;
    const metadata = metadataOf(publish);
    const bytes =
      publish.dataBase64 === undefined
        ? `${quoted(textOf(publish))}.getBytes(java.nio.charset.StandardCharsets.UTF_8)`
        : `java.util.Base64.getDecoder().decode(${quoted(publish.dataBase64)})`;
    return [
      `import io.${brandWord}.client.${brandTitle}ClientBuilder;`,
      `import io.${brandWord}.client.domain.PublishEventRequest;`,
      '',
      `try (var client = new ${brandTitle}ClientBuilder().build()) {`,
      `  var request = new PublishEventRequest(${quoted(publish.pubsubname)}, ${quoted(publish.topic)},`,
      `      ${bytes});`,
      ...(publish.contentType === undefined
        ? []
        : [`  request.setContentType(${quoted(publish.contentType)});`]),
      ...(metadata.length === 0
        ? []
        : [
            `  request.setMetadata(java.util.Map.of(${metadata.map(([key, value]) => `${quoted(key)}, ${quoted(value)}`).join(', ')}));`,
          ]),
      '  client.publishEvent(request).block();',
      '}',
    ].join('\n');
  },

  sdkGo({ publish, profile }) {
    const { brandWord } = profile;
    const metadata = metadataOf(publish);
    const isBytes = publish.dataBase64 !== undefined;
    return [
      'package main',
      '',
      'import (',
      '\t"context"',
      ...(isBytes ? ['\t"encoding/base64"'] : []),
      '',
      `\t${brandWord} "github.com/${brandWord}/go-sdk/client"`,
      ')',
      '',
      'func main() {',
      `\tclient, err := ${brandWord}.NewClient()`,
      '\tif err != nil {',
      '\t\tpanic(err)',
      '\t}',
      '\tdefer client.Close()',
      isBytes
        ? `\tdata, _ := base64.StdEncoding.DecodeString(${quotedWide(publish.dataBase64 ?? '')})`
        : `\tdata := []byte(${quotedWide(textOf(publish))})`,
      `\terr = client.PublishEvent(context.Background(), ${quotedWide(publish.pubsubname)}, ${quotedWide(publish.topic)}, data,`,
      `\t\t${brandWord}.PublishEventWithContentType(${quotedWide(publish.contentType ?? 'text/plain')}),`,
      ...(metadata.length === 0
        ? []
        : [
            `\t\t${brandWord}.PublishEventWithMetadata(map[string]string{${metadata.map(([key, value]) => `${quotedWide(key)}: ${quotedWide(value)}`).join(', ')}}),`,
          ]),
      '\t)',
      '\tif err != nil {',
      '\t\tpanic(err)',
      '\t}',
      '}',
    ].join('\n');
  },
};
