//! Rewriting a module of WebAssembly so that it tells its host what an observer of addresses would see.
//!
//! Before every instruction that goes or looks where an operand says, the operand is passed to a function of
//! the module, which calls the host if somebody listens. The number of the place, its *site*, goes with it;
//! the complement of that number where one of two values is selected. All else stays as the compiler left it.

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, EntityType, Function, FunctionSection, GlobalType, ImportSection,
    Instruction, Module, TypeSection, ValType,
};
use wasmparser::{
    CodeSectionReader, CompositeInnerType, FunctionBody, FunctionSectionReader,
    ImportSectionReader, KnownCustom, MemorySectionReader, Name, Parser, Payload, TypeRef,
    TypeSectionReader,
};

use super::operators::{Operand, Shows, name, operands, selects};

/// What the module imports all of this from.
const HOST: &str = "cipherlane_prove";

/// A place in the code that tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Site {
    /// The number of the function, in the module as it was.
    function: u32,
    instruction: &'static str,
    selects: bool,
    /// Where it stands in the module as it was.
    offset: u64,
}

/// A module that tells, and its places.
#[derive(Debug)]
pub(super) struct Instrumented {
    pub(super) module: Vec<u8>,
    sites: Vec<Site>,
    names: Vec<String>,
}

impl Instrumented {
    /// How many places there are that tell, and how many of them select.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.sites.len(), self.sites.iter().filter(|it| it.selects).count())
    }

    /// The function of a site, and where that stands in the module.
    pub(super) fn of(&self, site: usize) -> Option<(String, u64)> {
        let Site { function, offset, .. } = self.sites.get(site)?;
        let name = self.names.get(*function as usize).filter(|name| !name.is_empty());
        let name = name.map_or_else(
            || format!("function {function}"),
            |name| format!("{:#}", rustc_demangle::demangle(name)),
        );
        Some((name, *offset))
    }

    /// The same with the instruction, in words.
    pub(super) fn place(&self, site: usize) -> Option<String> {
        let (function, offset) = self.of(site)?;
        Some(format!("{} at {offset:#x} in {function}", self.sites[site].instruction))
    }
}

/// Makes a module tell.
///
/// # Errors
/// If it can't be read, or has an instruction of which nobody has said what it shows.
pub(super) fn instrument(module: &[u8]) -> Result<Instrumented, String> {
    let mut rewriter = Rewriter::of(module).map_err(|error| error.to_string())?;
    let mut rewritten = Module::new();
    let done = rewriter.parse_core_module(&mut rewritten, Parser::new(0), module);
    done.map_err(|error| error.to_string())?;
    let Rewriter { sites, names, .. } = rewriter;
    Ok(Instrumented { module: rewritten.finish(), sites, names })
}

/// What of the module must be known before its code is read.
#[derive(Default)]
struct Rewriter {
    /// How many parameters each type of functions has.
    parameters: Vec<u32>,
    /// How many functions and globals are imported.
    imported: (u32, u32),
    /// The types of the functions that are not.
    functions: Vec<u32>,
    names: Vec<String>,
    /// The number of the next function whose code is read.
    next: u32,
    sites: Vec<Site>,
}

impl Rewriter {
    fn of(module: &[u8]) -> Result<Self, wasmparser::Error> {
        let mut all = Self::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::TypeSection(section) => all.types(section)?,
                Payload::ImportSection(section) => all.imports(section)?,
                Payload::FunctionSection(section) => {
                    all.functions = section.into_iter().collect::<Result<_, _>>()?;
                }
                Payload::CustomSection(section) => {
                    if let KnownCustom::Name(section) = section.as_known() {
                        for part in section {
                            if let Name::Function(map) = part? {
                                for naming in map {
                                    let naming = naming?;
                                    let place = naming.index as usize;
                                    let len = all.names.len().max(place + 1);
                                    all.names.resize(len, String::new());
                                    all.names[place] = naming.name.to_owned();
                                }
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(all)
    }

    fn types(&mut self, section: TypeSectionReader<'_>) -> Result<(), wasmparser::Error> {
        for group in section {
            for one in group?.into_types() {
                let CompositeInnerType::Func(function) = &one.composite_type.inner else {
                    self.parameters.push(0);
                    continue;
                };
                self.parameters.push(function.params().len() as u32);
            }
        }
        Ok(())
    }

    fn imports(&mut self, section: ImportSectionReader<'_>) -> Result<(), wasmparser::Error> {
        for import in section.into_imports() {
            match import?.ty {
                TypeRef::Func(_) | TypeRef::FuncExact(_) => self.imported.0 += 1,
                TypeRef::Global(_) => self.imported.1 += 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// The type of the function that tells: the first behind the module's own.
    fn type_of_telling(&self) -> u32 {
        self.parameters.len() as u32
    }

    /// The host's function: the last of those that are imported.
    fn host(&self) -> u32 {
        self.imported.0
    }

    /// The host's global that says whether it listens: likewise.
    fn listens(&self) -> u32 {
        self.imported.1
    }

    /// The module's function that calls the host's: behind all others.
    fn tell(&self) -> u32 {
        self.imported.0 + 1 + self.functions.len() as u32
    }

    /// Tells of an instruction's operands, the last of which is the top of the stack, and leaves them there.
    fn told<'a>(
        &mut self,
        (operands, site): (&[Operand], Site),
        scratch: &mut Scratch,
        code: &mut Vec<Instruction<'a>>,
    ) {
        let number = self.sites.len() as i32;
        let number = if site.selects { !number } else { number };
        self.sites.push(site);
        let locals: Vec<u32> = scratch.of(operands);
        code.extend(locals.iter().rev().map(|&local| Instruction::LocalSet(local)));
        for (operand, &local) in operands.iter().zip(&locals) {
            for value in words(*operand, local) {
                code.push(Instruction::I32Const(number));
                code.extend(value);
                code.push(Instruction::Call(self.tell()));
            }
        }
        code.extend(locals.iter().map(|&local| Instruction::LocalGet(local)));
    }
}

/// Code for each word that an operand shows.
fn words(operand: Operand, local: u32) -> Vec<Vec<Instruction<'static>>> {
    use Instruction as It;
    let value = It::LocalGet(local);
    let halves = |bits: &[Instruction<'static>]| {
        let low = [bits, &[It::I32WrapI64]].concat();
        let high = [bits, &[It::I64Const(32), It::I64ShrU, It::I32WrapI64]].concat();
        vec![low, high]
    };
    match (operand.shows, operand.kind) {
        (Shows::Nothing, _) => Vec::new(),
        (Shows::Zero, _) => vec![vec![value, It::I32Eqz]],
        (Shows::All, ValType::I64) => halves(&[value]),
        (Shows::All, ValType::F64) => halves(&[value, It::I64ReinterpretF64]),
        (Shows::All, ValType::F32) => vec![vec![value, It::I32ReinterpretF32]],
        (Shows::All, _) => vec![vec![value]],
    }
}

/// Locals of a function that hold operands while the host is told of them.
struct Scratch {
    first: u32,
    kinds: Vec<ValType>,
}

impl Scratch {
    /// One for each operand; an instruction takes what the one before it has left.
    fn of(&mut self, operands: &[Operand]) -> Vec<u32> {
        let mut taken = Vec::new();
        for operand in operands {
            let free = |&place: &usize| {
                self.kinds[place] == operand.kind && !taken.contains(&(self.first + place as u32))
            };
            let place = (0..self.kinds.len()).find(free).unwrap_or_else(|| {
                self.kinds.push(operand.kind);
                self.kinds.len() - 1
            });
            taken.push(self.first + place as u32);
        }
        taken
    }
}

impl Reencode for Rewriter {
    type Error = String;

    /// Functions behind the imported ones make room for the host's.
    fn function_index(&mut self, function: u32) -> Result<u32, Error<String>> {
        Ok(function + u32::from(function >= self.imported.0))
    }

    fn global_index(&mut self, global: u32) -> Result<u32, Error<String>> {
        Ok(global + u32::from(global >= self.imported.1))
    }

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: TypeSectionReader<'_>,
    ) -> Result<(), Error<String>> {
        utils::parse_type_section(self, types, section)?;
        types.ty().function([ValType::I32; 2], []);
        Ok(())
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: ImportSectionReader<'_>,
    ) -> Result<(), Error<String>> {
        utils::parse_import_section(self, imports, section)?;
        let listens = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
        imports.import(HOST, "event", EntityType::Function(self.type_of_telling()));
        imports.import(HOST, "listens", EntityType::Global(listens));
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error<String>> {
        utils::parse_function_section(self, functions, section)?;
        functions.function(self.type_of_telling());
        Ok(())
    }

    fn parse_memory_section(
        &mut self,
        memories: &mut wasm_encoder::MemorySection,
        section: MemorySectionReader<'_>,
    ) -> Result<(), Error<String>> {
        for memory in section.clone() {
            if memory?.memory64 {
                return Err(Error::UserError("addresses of 64 bits are not told of".into()));
            }
        }
        utils::parse_memory_section(self, memories, section)
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error<String>> {
        utils::parse_code_section(self, code, section)?;
        let mut tell = Function::new([]);
        for instruction in [
            Instruction::GlobalGet(self.listens()),
            Instruction::If(BlockType::Empty),
            Instruction::LocalGet(0),
            Instruction::LocalGet(1),
            Instruction::Call(self.host()),
            Instruction::End,
            Instruction::End,
        ] {
            tell.instruction(&instruction);
        }
        code.function(&tell);
        Ok(())
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Result<(), Error<String>> {
        let kind = self.functions.get(self.next as usize);
        let parameters = kind.and_then(|&kind| self.parameters.get(kind as usize));
        let mut count = *parameters.ok_or(Error::InvalidCodeSectionSize)?;
        let function = self.imported.0 + self.next;
        self.next += 1;
        let mut locals = Vec::new();
        for group in body.get_locals_reader()? {
            let (many, kind) = group?;
            count += many;
            locals.push((many, self.val_type(kind)?));
        }
        let mut scratch = Scratch { first: count, kinds: Vec::new() };
        let mut instructions = Vec::new();
        let mut reader = body.get_operators_reader()?;
        while !reader.eof() {
            let (operator, offset) = reader.read_with_offset()?;
            let operands = operands(&operator)
                .map_err(|error| Error::UserError(format!("{error} (at {offset:#x})")))?;
            if !operands.is_empty() {
                let (instruction, selects) = (name(&operator), selects(&operator));
                let site = Site { function, instruction, selects, offset };
                self.told((&operands, site), &mut scratch, &mut instructions);
            }
            instructions.push(self.instruction(operator)?);
        }
        locals.extend(scratch.kinds.iter().map(|&kind| (1, kind)));
        let mut rewritten = Function::new(locals);
        for instruction in &instructions {
            rewritten.instruction(instruction);
        }
        code.function(&rewritten);
        Ok(())
    }
}
