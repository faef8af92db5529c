//! What an instruction of WebAssembly shows to an observer of addresses: which of its operands say where it
//! goes on or what memory it touches, or how long it takes.

use wasm_encoder::ValType;
use wasmparser::Operator;

/// An operand on the stack, and what of it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operand {
    pub(super) kind: ValType,
    pub(super) shows: Shows,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shows {
    Nothing,
    /// Whether it is 0: a condition.
    Zero,
    /// All of its bits.
    All,
}

const fn all(kind: ValType) -> Operand {
    Operand { kind, shows: Shows::All }
}

const fn hidden(kind: ValType) -> Operand {
    Operand { kind, shows: Shows::Nothing }
}

const CONDITION: Operand = Operand { kind: ValType::I32, shows: Shows::Zero };
const ADDRESS: Operand = all(ValType::I32);

/// The proposals of which every instruction that takes no memory, and is not named below, shows nothing: it
/// computes, or goes where the code alone says.
const PLAIN: [&str; 5] =
    ["mvp", "sign_extension", "saturating_float_to_int", "bulk_memory", "simd"];

/// Whether it takes one of two values: no branch of the module, but an engine may make it one.
pub(super) fn selects(operator: &Operator<'_>) -> bool {
    matches!(operator, Operator::Select | Operator::TypedSelect { .. })
}

/// The operands of an instruction from the deepest one that shows something up to the top of the stack;
/// none where nothing shows.
///
/// # Errors
/// If nobody has thought about that instruction.
pub(super) fn operands(operator: &Operator<'_>) -> Result<Vec<Operand>, String> {
    use Operator as It;
    use ValType::{F32, F64, I32, I64, V128};
    Ok(match operator {
        It::If { .. } | It::BrIf { .. } | It::Select | It::TypedSelect { .. } => vec![CONDITION],
        It::BrTable { .. } | It::CallIndirect { .. } | It::MemoryGrow { .. } => vec![all(I32)],
        It::I32Store { .. } | It::I32Store8 { .. } | It::I32Store16 { .. } => {
            vec![ADDRESS, hidden(I32)]
        }
        It::I64Store { .. }
        | It::I64Store8 { .. }
        | It::I64Store16 { .. }
        | It::I64Store32 { .. } => vec![ADDRESS, hidden(I64)],
        It::F32Store { .. } => vec![ADDRESS, hidden(F32)],
        It::F64Store { .. } => vec![ADDRESS, hidden(F64)],
        It::V128Store { .. }
        | It::V128Load8Lane { .. }
        | It::V128Load16Lane { .. }
        | It::V128Load32Lane { .. }
        | It::V128Load64Lane { .. }
        | It::V128Store8Lane { .. }
        | It::V128Store16Lane { .. }
        | It::V128Store32Lane { .. }
        | It::V128Store64Lane { .. } => vec![ADDRESS, hidden(V128)],
        It::MemoryCopy { .. } | It::MemoryInit { .. } => vec![ADDRESS, ADDRESS, all(I32)],
        It::MemoryFill { .. } => vec![ADDRESS, hidden(I32), all(I32)],
        It::I32DivS | It::I32DivU | It::I32RemS | It::I32RemU => vec![all(I32), all(I32)],
        It::I64DivS | It::I64DivU | It::I64RemS | It::I64RemU => vec![all(I64), all(I64)],
        It::F32Div => vec![all(F32), all(F32)],
        It::F64Div => vec![all(F64), all(F64)],
        It::F32Sqrt => vec![all(F32)],
        It::F64Sqrt => vec![all(F64)],
        It::F32x4Div | It::F64x2Div | It::F32x4Sqrt | It::F64x2Sqrt => {
            return Err(unknown(operator));
        }
        // A module with tables that change is none of ours.
        It::TableInit { .. } | It::TableCopy { .. } | It::ElemDrop { .. } => {
            return Err(unknown(operator));
        }
        _ => match described(operator) {
            Some(("mvp" | "simd", _, "arity memarg 1 -> 1")) => vec![ADDRESS],
            Some((proposal, _, arity))
                if PLAIN.contains(&proposal) && !arity.contains("memarg") =>
            {
                vec![]
            }
            _ => return Err(unknown(operator)),
        },
    })
}

/// The name of an instruction, as `i32_load8_u`.
pub(super) fn name(operator: &Operator<'_>) -> &'static str {
    described(operator).map_or("?", |it| it.1.trim_start_matches("visit_"))
}

fn unknown(operator: &Operator<'_>) -> String {
    format!("nobody has said what the instruction {} shows", name(operator))
}

/// Of which proposal it is, its name, and what it takes from the stack and leaves there.
fn described(operator: &Operator<'_>) -> Option<(&'static str, &'static str, &'static str)> {
    macro_rules! describe {
        ($(@$proposal:ident $op:ident $({ $($arg:ident: $kind:ty),* })? => $visit:ident ($($of:tt)*))*) => {
            match operator {
                $(Operator::$op { .. } => {
                    Some((stringify!($proposal), stringify!($visit), stringify!($($of)*)))
                })*
                _ => None,
            }
        };
    }
    wasmparser::for_each_operator!(describe)
}
