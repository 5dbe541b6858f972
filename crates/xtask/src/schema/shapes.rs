//! The shape of each type in JSON, as serde reads it.

use super::serde_attributes::{SerdeAttributes, description};
use super::type_index::{TypeContent, TypeIndex, TypeSource};
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use syn::{Field, Fields, GenericArgument, PathArguments, Type, Variant};

/// The path of a part, in a reference to it.
const PARTS: &str = "#/$defs/";

/// A type as text for names of parts, and its schema.
type Known = (String, Value);
/// The types of parameters within a generic type.
type Parameters = BTreeMap<String, Known>;

/// Where a type stands, which decides what its names mean.
struct Scope<'a> {
    file: &'a Path,
    parameters: &'a Parameters,
}

/// The schemas of named types, made when they are first needed.
pub struct Shapes<'a> {
    index: &'a TypeIndex,
    parts: Map<String, Value>,
}

/// A reference to a part.
pub fn reference(name: &str) -> Value {
    json!({ "$ref": format!("{PARTS}{name}") })
}

impl<'a> Shapes<'a> {
    /// None yet.
    pub fn new(index: &'a TypeIndex) -> Shapes<'a> {
        Shapes { index, parts: Map::new() }
    }

    /// The part of a type that is a document.
    ///
    /// # Errors
    /// If it, or a type within it, cannot be described.
    pub fn document(&mut self, home: &str, name: &str) -> Result<&mut Value> {
        let file = Path::new("crates").join(home).join("src");
        self.named(name, &[], &file)?;
        self.parts.get_mut(name).context("it has no part")
    }

    /// The parts that the documents, or other parts, refer to.
    pub fn used_parts(mut self) -> Map<String, Value> {
        loop {
            let text = Value::Object(self.parts.clone()).to_string();
            let before = self.parts.len();
            self.parts.retain(|name, part| {
                part.get("title").is_some() || text.contains(&format!("\"{PARTS}{name}\""))
            });
            if self.parts.len() == before {
                return self.parts;
            }
        }
    }

    fn shape(&mut self, shape: &Type, scope: &Scope<'_>) -> Result<Known> {
        match shape {
            Type::Reference(of) => self.shape(&of.elem, scope),
            Type::Paren(of) => self.shape(&of.elem, scope),
            Type::Slice(of) => self.list(&of.elem, scope, None),
            Type::Array(of) => {
                self.list(&of.elem, scope, Some(self.index.number(&of.len, scope.file)?))
            }
            Type::Tuple(of) => self.tuple(of.elems.iter(), scope),
            Type::Path(of) => {
                let last = of.path.segments.last().context("a path without a name")?;
                let mut arguments = Vec::new();
                if let PathArguments::AngleBracketed(all) = &last.arguments {
                    for argument in &all.args {
                        if let GenericArgument::Type(argument) = argument {
                            arguments.push(self.shape(argument, scope)?);
                        }
                    }
                }
                let name = last.ident.to_string();
                match (scope.parameters.get(&name), plain(&name, &arguments)) {
                    (Some(known), _) => Ok(known.clone()),
                    (None, Some(schema)) => {
                        let labels = arguments.iter().map(|argument| argument.0.as_str());
                        Ok((label(&name, labels), schema))
                    }
                    (None, None) => self.named(&name, &arguments, scope.file),
                }
            }
            _ => bail!("a form of type that no schema knows"),
        }
    }

    fn list(&mut self, of: &Type, scope: &Scope<'_>, length: Option<u64>) -> Result<Known> {
        let (name, items) = self.shape(of, scope)?;
        let mut schema = json!({ "type": "array", "items": items });
        if let Some(length) = length {
            (schema["minItems"], schema["maxItems"]) = (json!(length), json!(length));
        }
        Ok((label("List", [name.as_str()]), schema))
    }

    fn tuple<'t>(
        &mut self,
        elements: impl Iterator<Item = &'t Type>,
        scope: &Scope<'_>,
    ) -> Result<Known> {
        let elements: Result<Vec<Known>> = elements.map(|of| self.shape(of, scope)).collect();
        let (names, schemas): (Vec<String>, Vec<Value>) = elements?.into_iter().unzip();
        let name = label("Pair", names.iter().map(String::as_str));
        let mut schema = json!({ "type": "array", "prefixItems": schemas });
        (schema["minItems"], schema["maxItems"]) = (json!(names.len()), json!(names.len()));
        Ok((name, schema))
    }

    /// A reference to the part of a named type, which is made if it is not there.
    fn named(&mut self, name: &str, arguments: &[Known], from: &Path) -> Result<Known> {
        let source = self.index.find(name, from);
        let source = source.with_context(|| format!("{}: which {name}?", from.display()))?;
        if let TypeContent::Alias(of) = &source.content {
            let parameters = self.parameters(source, arguments)?;
            return self.shape(of, &Scope { file: &source.file, parameters: &parameters });
        }
        let part = label(name, arguments.iter().map(|argument| argument.0.as_str()));
        if !self.parts.contains_key(&part) {
            // A type that holds itself finds its place taken.
            self.parts.insert(part.clone(), Value::Null);
            let parameters = self.parameters(source, arguments)?;
            let schema = self.content(source, &parameters);
            let schema = schema.with_context(|| format!("{}: {name}", source.file.display()))?;
            self.parts.insert(part.clone(), described(schema, &source.attributes));
        }
        let schema = reference(&part);
        Ok((part, schema))
    }

    /// What each parameter of a type means: what is given, or its default.
    fn parameters(&mut self, source: &TypeSource, arguments: &[Known]) -> Result<Parameters> {
        let mut given = arguments.iter().cloned();
        let mut parameters = Parameters::new();
        for parameter in source.generics.type_params() {
            let known = match (given.next(), &parameter.default) {
                (Some(known), _) => known,
                (None, Some((_, default))) => {
                    let scope = Scope { file: &source.file, parameters: &parameters };
                    self.shape(default, &scope)?
                }
                (None, None) => bail!("no type is given for {}", parameter.ident),
            };
            parameters.insert(parameter.ident.to_string(), known);
        }
        Ok(parameters)
    }

    fn content(&mut self, source: &TypeSource, parameters: &Parameters) -> Result<Value> {
        let scope = Scope { file: &source.file, parameters };
        let attributes = SerdeAttributes::of(&source.attributes)?;
        let read_as = attributes.value("from").or(attributes.value("try_from"));
        if let Some(read_as) = read_as {
            let (_, schema) = self.shape(&syn::parse_str(read_as)?, &scope)?;
            return Ok(self.inlined(schema));
        }
        match &source.content {
            TypeContent::Alias(_) => bail!("an alias has no content of its own"),
            TypeContent::Struct(fields) => self.fields(fields, &attributes, &scope),
            TypeContent::Enum(variants) => self.variants(variants, &attributes, &scope),
        }
    }

    /// The part that a schema refers to, without its description.
    fn inlined(&self, schema: Value) -> Value {
        let name = schema["$ref"].as_str().and_then(|text| text.strip_prefix(PARTS));
        let mut part = name.and_then(|name| self.parts.get(name)).cloned().unwrap_or(schema);
        part.as_object_mut().map(|part| part.shift_remove("description"));
        part
    }

    fn fields(
        &mut self,
        fields: &Fields,
        of_type: &SerdeAttributes,
        scope: &Scope<'_>,
    ) -> Result<Value> {
        match fields {
            Fields::Unit => Ok(json!({ "type": "null" })),
            Fields::Unnamed(of) if of.unnamed.len() == 1 => {
                Ok(self.shape(&of.unnamed[0].ty, scope)?.1)
            }
            Fields::Unnamed(of) => {
                Ok(self.tuple(of.unnamed.iter().map(|field| &field.ty), scope)?.1)
            }
            Fields::Named(of) => {
                let mut object = json!({ "type": "object", "properties": {}, "required": [] });
                for field in &of.named {
                    self.add_field(field, of_type, scope, &mut object)?;
                }
                if of_type.has("deny_unknown_fields") {
                    object["additionalProperties"] = json!(false);
                }
                Ok(object)
            }
        }
    }

    fn add_field(
        &mut self,
        field: &Field,
        of_type: &SerdeAttributes,
        scope: &Scope<'_>,
        object: &mut Value,
    ) -> Result<()> {
        let attributes = SerdeAttributes::of(&field.attrs)?;
        if attributes.has("skip") {
            return Ok(());
        }
        let name = field.ident.as_ref().context("a field without a name")?.to_string();
        let name = attributes.value("rename").unwrap_or(name.trim_start_matches("r#"));
        let (shape, schema) = self.shape(&field.ty, scope)?;
        if attributes.has("flatten") {
            let inner = self.inlined(schema);
            return flatten(object, &inner).with_context(|| format!("the field {name}"));
        }
        let may_lack = [of_type, &attributes].iter().any(|one| one.has("default"));
        if !may_lack && !shape.starts_with("OptionOf") {
            push(object, "required", json!(name));
        }
        object["properties"][name] = described(schema, &field.attrs);
        Ok(())
    }

    fn variants(
        &mut self,
        variants: &[Variant],
        of_type: &SerdeAttributes,
        scope: &Scope<'_>,
    ) -> Result<Value> {
        let mut schemas = Vec::new();
        for variant in variants {
            let attributes = SerdeAttributes::of(&variant.attrs)?;
            if !attributes.has("skip") {
                let schema = self.variant(variant, &attributes, of_type, scope);
                let schema = schema.with_context(|| format!("the variant {}", variant.ident))?;
                schemas.push(described(schema, &variant.attrs));
            }
        }
        let any = if of_type.has("untagged") { "anyOf" } else { "oneOf" };
        Ok(json!({ any: schemas }))
    }

    fn variant(
        &mut self,
        variant: &Variant,
        attributes: &SerdeAttributes,
        of_type: &SerdeAttributes,
        scope: &Scope<'_>,
    ) -> Result<Value> {
        let name = attributes.variant_name(of_type, &variant.ident.to_string());
        let is_unit = matches!(variant.fields, Fields::Unit);
        let constant = constant(&name, attributes.value("alias"));
        let content = self.fields(&variant.fields, &SerdeAttributes::default(), scope)?;
        let (tag, place) = (of_type.value("tag"), of_type.value("content"));
        Ok(match (tag, place) {
            _ if of_type.has("untagged") => content,
            (None, _) if is_unit => constant,
            (None, _) => json!({
                "type": "object", "properties": { name.as_str(): content }, "required": [name],
                "additionalProperties": false,
            }),
            (Some(tag), Some(place)) if !is_unit => json!({
                "type": "object",
                "properties": { tag: constant, place: content }, "required": [tag, place],
            }),
            (Some(tag), _) => {
                let mut tagged = json!({ "type": "object", "properties": {}, "required": [] });
                if content.get("$ref").is_some() {
                    tagged["$ref"] = content["$ref"].clone();
                }
                tagged["properties"][tag] = constant;
                push(&mut tagged, "required", json!(tag));
                if content["properties"].is_object() {
                    flatten(&mut tagged, &content)?;
                }
                tagged
            }
        })
    }
}

/// A variant by its name, or by the one that it had in earlier documents.
fn constant(name: &str, former: Option<&str>) -> Value {
    match former {
        Some(former) => json!({ "type": "string", "enum": [name, former] }),
        None => json!({ "type": "string", "const": name }),
    }
}

/// Adds an object's fields to another.
fn flatten(object: &mut Value, inner: &Value) -> Result<()> {
    if let Some(variants) = inner.get("oneOf") {
        ensure!(object.get("oneOf").is_none(), "only one enum can be flattened");
        object["oneOf"] = variants.clone();
    }
    let fields = inner["properties"].as_object().into_iter().flatten();
    fields.for_each(|(name, field)| object["properties"][name] = field.clone());
    let required = inner["required"].as_array().into_iter().flatten();
    required.for_each(|name| push(object, "required", name.clone()));
    Ok(())
}

fn push(object: &mut Value, list: &str, value: Value) {
    object[list].as_array_mut().into_iter().for_each(|list| list.push(value.clone()));
}

fn described(mut schema: Value, attributes: &[syn::Attribute]) -> Value {
    let description = description(attributes);
    if !description.is_empty() {
        schema["description"] = json!(description);
    }
    schema
}

fn label<'t>(name: &str, arguments: impl IntoIterator<Item = &'t str>) -> String {
    let arguments: Vec<&str> = arguments.into_iter().collect();
    match (name, arguments.as_slice()) {
        ("Box" | "Cow" | "Arc" | "Rc", [inner]) => (*inner).to_owned(),
        (name, []) => name[..1].to_uppercase() + &name[1..],
        (name, arguments) => format!("{}Of{}", label(name, []), arguments.join("And")),
    }
}

/// The schema of a type of the language or its library; none for another.
fn plain(name: &str, arguments: &[Known]) -> Option<Value> {
    let argument = || arguments.first().map(|known| known.1.clone());
    Some(match name {
        "bool" => json!({ "type": "boolean" }),
        "f32" => json!({ "type": "number", "format": "float" }),
        "f64" => json!({ "type": "number", "format": "double" }),
        "i8" | "i16" | "i32" | "i64" => {
            json!({ "type": "integer", "format": format!("int{}", &name[1..]) })
        }
        "usize" => json!({ "type": "integer", "format": "uint", "minimum": 0 }),
        "u8" => json!({ "type": "integer", "format": "uint8", "minimum": 0, "maximum": u8::MAX }),
        "u16" => {
            json!({ "type": "integer", "format": "uint16", "minimum": 0, "maximum": u16::MAX })
        }
        "u32" | "u64" | "u128" => {
            json!({ "type": "integer", "format": format!("uint{}", &name[1..]), "minimum": 0 })
        }
        "String" | "str" | "Text" | "PathBuf" | "Path" | "char" => json!({ "type": "string" }),
        "Box" | "Cow" | "Arc" | "Rc" => argument()?,
        "Vec" | "BTreeSet" => json!({ "type": "array", "items": argument()? }),
        "BTreeMap" => {
            json!({ "type": "object", "additionalProperties": arguments.get(1)?.1 })
        }
        "Option" => nullable(argument()?),
        "Value" => json!({}),
        "Result" => {
            let (good, bad) = (argument()?, &arguments.get(1)?.1);
            json!({ "oneOf": [
                { "type": "object", "properties": { "Ok": good }, "required": ["Ok"] },
                { "type": "object", "properties": { "Err": bad }, "required": ["Err"] },
            ] })
        }
        _ => return None,
    })
}

fn nullable(mut schema: Value) -> Value {
    match schema.get("type").and_then(Value::as_str) {
        Some(of) => {
            schema["type"] = json!([of, "null"]);
            schema
        }
        None => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}
