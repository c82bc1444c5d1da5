// Resolves CloudFormation's intrinsic functions, conditions and cross-stack references into plain values.
import type { Resource, StackTemplate } from './cloud-assembly.ts';
import { ACCOUNT_ID, attributeOf, givenName, type Identified, NAME_PROPERTIES, REGION, refOf } from './physical-names.ts';
import { asList, asObject, asText, type Json } from './shapes.ts';

/** Stands for `AWS::NoValue`: the property that holds it is left out. */
const NO_VALUE = Symbol('AWS::NoValue');

export interface ResolverSettings {
  readonly parameters: Readonly<Record<string, string>>;
  readonly endpointUrl: string;
  /** Finds the value another stack exports. */
  readonly importValue: (name: string) => unknown;
}

/** Resolves the values of one stack. Unknown functions, names and parameters throw with the place they stand at. */
export class StackResolver {
  readonly stack: StackTemplate;
  readonly #settings: ResolverSettings;
  readonly #functions: Readonly<Record<string, (argument: unknown) => unknown>> = {
    Ref: (name) => this.#reference(String(name)),
    'Fn::GetAtt': (argument) => this.#attribute(argument),
    'Fn::Sub': (argument) => this.#substitute(argument),
    'Fn::Join': (argument) => this.#join(argument),
    'Fn::Select': (argument) => this.#select(argument),
    'Fn::Split': (argument) => this.#split(argument),
    'Fn::If': (argument) => this.#choose(argument),
    'Fn::FindInMap': (argument) => this.#find(argument),
    'Fn::ImportValue': (name) => this.#settings.importValue(this.text(name)),
    'Fn::GetStackOutput': (argument) => this.#settings.importValue(this.text(asObject(argument)['OutputName'])),
    'Fn::Base64': (argument) => Buffer.from(this.text(argument)).toString('base64'),
    'Fn::GetAZs': () => [`${REGION}a`, `${REGION}b`],
  };

  constructor(stack: StackTemplate, settings: ResolverSettings) {
    this.stack = stack;
    this.#settings = settings;
  }

  /** The value with every intrinsic function replaced; properties that are `AWS::NoValue` are gone. */
  resolve(value: unknown): unknown {
    const resolved = this.#resolve(value);
    return resolved === NO_VALUE ? undefined : resolved;
  }

  /** The resolved value, which has to be text. */
  text(value: unknown): string {
    const text = asText(this.resolve(value));
    if (text === undefined) throw new Error(`${this.stack.name}: no text: ${JSON.stringify(value)}`);
    return text;
  }

  /** A resource's resolved properties. */
  properties(resource: Resource): Json {
    return asObject(this.resolve(resource.properties));
  }

  /** Whether the condition that a resource carries holds. */
  isIncluded(resource: Resource): boolean {
    return resource.condition === undefined || this.#condition(resource.condition);
  }

  /** What names and ARNs are made from. */
  identify(logicalId: string): Identified {
    const resource = this.stack.resources.get(logicalId);
    if (!resource) throw new Error(`${this.stack.name}: no resource ${logicalId}`);
    // Only the naming property is resolved: the others may refer back to this resource.
    const property = NAME_PROPERTIES[resource.type];
    const named = property === undefined ? {} : { [property]: this.resolve(resource.properties[property]) };
    const given = givenName(resource.type, named);
    return {
      stackName: this.stack.name,
      logicalId,
      type: resource.type,
      endpointUrl: this.#settings.endpointUrl,
      ...(given === undefined ? {} : { givenName: given }),
    };
  }

  #resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#resolve(each)).filter((each) => each !== NO_VALUE);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [first] = entries;
    if (first && entries.length === 1) {
      const apply = this.#functions[first[0]];
      if (apply) return apply(first[1]);
      if (first[0].startsWith('Fn::')) throw new Error(`${this.stack.name}: ${first[0]} is not known here`);
    }
    return Object.fromEntries(entries.map(([key, each]) => [key, this.#resolve(each)] as const).filter(([, each]) => each !== NO_VALUE));
  }

  #reference(name: string): unknown {
    const pseudo = this.#pseudo(name);
    if (pseudo !== undefined) return pseudo;
    if (name in this.stack.parameters) return this.#parameter(name);
    return refOf(this.identify(name));
  }

  #pseudo(name: string): unknown {
    const values: Readonly<Record<string, unknown>> = {
      'AWS::AccountId': ACCOUNT_ID,
      'AWS::Region': REGION,
      'AWS::Partition': 'aws',
      'AWS::URLSuffix': 'amazonaws.com',
      'AWS::StackName': this.stack.name,
      'AWS::StackId': `arn:aws:cloudformation:${REGION}:${ACCOUNT_ID}:stack/${this.stack.name}/local`,
      'AWS::NotificationARNs': [],
      'AWS::NoValue': NO_VALUE,
    };
    return values[name];
  }

  #parameter(name: string): unknown {
    const declared = asObject(this.stack.parameters[name]);
    const value = this.#settings.parameters[name] ?? asText(declared['Default']);
    if (value === undefined) throw new Error(`${this.stack.name}: parameter ${name} has no value`);
    return asText(declared['Type'])?.startsWith('List<') || declared['Type'] === 'CommaDelimitedList' ? value.split(',') : value;
  }

  #attribute(argument: unknown): string {
    const [logicalId, ...rest] = typeof argument === 'string' ? argument.split('.') : asList(argument).map((each) => this.text(each));
    return attributeOf(this.identify(logicalId ?? ''), rest.join('.'));
  }

  #substitute(argument: unknown): string {
    const [template, variables] = Array.isArray(argument) ? [String(argument[0]), asObject(argument[1])] : [String(argument), {}];
    return template.replace(/\$\{(!?)([^}]+)\}/g, (_all, mark: string, name: string) => {
      if (mark) return `\${${name}}`;
      if (name in variables) return this.text(asObject(variables)[name]);
      return name.includes('.') ? this.#attribute(name) : String(this.#reference(name));
    });
  }

  #join(argument: unknown): string {
    const [separator, parts] = asList(argument);
    return asList(this.resolve(parts))
      .map((part) => asText(part) ?? '')
      .join(String(separator));
  }

  #select(argument: unknown): unknown {
    const [index, from] = asList(argument);
    return asList(this.resolve(from))[Number(this.resolve(index))];
  }

  #split(argument: unknown): readonly string[] {
    const [separator, text] = asList(argument);
    return this.text(text).split(String(separator));
  }

  #find(argument: unknown): unknown {
    const [map, top, second] = asList(argument).map((each) => this.text(each));
    return this.resolve(asObject(asObject(this.stack.mappings[map ?? ''])[top ?? ''])[second ?? '']);
  }

  #choose(argument: unknown): unknown {
    const [condition, whenTrue, whenFalse] = asList(argument);
    return this.#resolve(this.#condition(String(condition)) ? whenTrue : whenFalse);
  }

  #condition(name: string): boolean {
    if (!(name in this.stack.conditions)) throw new Error(`${this.stack.name}: no condition ${name}`);
    return this.#holds(this.stack.conditions[name]);
  }

  #holds(condition: unknown): boolean {
    const [entry] = Object.entries(asObject(condition));
    const [name, argument] = entry ?? ['', undefined];
    const all = asList(argument);
    if (name === 'Condition') return this.#condition(String(argument));
    if (name === 'Fn::And') return all.every((each) => this.#holds(each));
    if (name === 'Fn::Or') return all.some((each) => this.#holds(each));
    if (name === 'Fn::Not') return !this.#holds(all[0]);
    if (name === 'Fn::Equals') return JSON.stringify(this.resolve(all[0])) === JSON.stringify(this.resolve(all[1]));
    throw new Error(`${this.stack.name}: the condition ${name} is not known here`);
  }
}
