// Reads the folder that `cdk synth` writes: every stack's template and where its assets lie. No meaning is given to it here.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asObject, asText, type Json } from './shapes.ts';

export interface Resource {
  readonly type: string;
  readonly properties: Json;
  readonly condition?: string;
  /** Construct path, e.g. `Local/Api/MailboxHttp/Resource`. */
  readonly path: string;
}

export interface StackTemplate {
  readonly name: string;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly parameters: Json;
  readonly conditions: Json;
  readonly mappings: Json;
  readonly outputs: Json;
  /** Folders of assets by the object key that the template names. */
  readonly assetDirs: ReadonlyMap<string, string>;
}

/** All stacks of a cloud assembly, nested stages included. Throws when there is no manifest. */
export function readStacks(cdkOutDir: string): readonly StackTemplate[] {
  const file = join(cdkOutDir, 'manifest.json');
  if (!existsSync(file)) throw new Error(`${cdkOutDir} holds no cloud assembly: run the synthesis first`);
  const artifacts = asObject(readJson(file)['artifacts']);
  return Object.entries(artifacts).flatMap(([id, value]) => {
    const artifact = asObject(value);
    const properties = asObject(artifact['properties']);
    if (artifact['type'] === 'cdk:cloud-assembly') return readStacks(join(cdkOutDir, asText(properties['directoryName']) ?? id));
    if (artifact['type'] !== 'aws:cloudformation:stack') return [];
    return [readStack(cdkOutDir, asText(properties['stackName']) ?? id, asText(properties['templateFile']) ?? `${id}.template.json`)];
  });
}

function readStack(cdkOutDir: string, name: string, templateFile: string): StackTemplate {
  const template = readJson(join(cdkOutDir, templateFile));
  return {
    name,
    resources: new Map(Object.entries(asObject(template['Resources'])).map(([id, value]) => [id, toResource(id, asObject(value))])),
    parameters: asObject(template['Parameters']),
    conditions: asObject(template['Conditions']),
    mappings: asObject(template['Mappings']),
    outputs: asObject(template['Outputs']),
    assetDirs: readAssetDirs(cdkOutDir, templateFile.replace(/\.template\.json$/, '.assets.json')),
  };
}

function toResource(logicalId: string, value: Json): Resource {
  const condition = asText(value['Condition']);
  return {
    type: asText(value['Type']) ?? '',
    properties: asObject(value['Properties']),
    ...(condition === undefined ? {} : { condition }),
    path: asText(asObject(value['Metadata'])['aws:cdk:path']) ?? logicalId,
  };
}

function readAssetDirs(cdkOutDir: string, assetsFile: string): ReadonlyMap<string, string> {
  const file = join(cdkOutDir, assetsFile);
  if (!existsSync(file)) return new Map();
  const files = Object.values(asObject(readJson(file)['files'])).map(asObject);
  return new Map(
    files.flatMap((asset) => {
      const path = asText(asObject(asset['source'])['path']);
      if (path === undefined) return [];
      const keys = Object.values(asObject(asset['destinations'])).map((destination) => asText(asObject(destination)['objectKey']));
      return keys.filter((key) => key !== undefined).map((key) => [key, join(cdkOutDir, path)] as const);
    }),
  );
}

function readJson(file: string): Json {
  return asObject(JSON.parse(readFileSync(file, 'utf8')));
}
