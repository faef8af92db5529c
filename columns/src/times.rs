//! Times in units that Parquet does not have: seconds, and dates in milliseconds. Its library writes them as
//! numbers that no other program takes for times, and says nothing.

use arrow_array::cast::AsArray as _;
use arrow_array::types::Date64Type;
use arrow_array::{Array as _, ArrayRef};
use arrow_cast::CastOptions;
use arrow_schema::{DataType, Field, TimeUnit};

use crate::failure::Failure;

/// The milliseconds of a day.
const DAY: i64 = 86_400_000;

/// The type that a column has in Parquet, where that is another one than it has.
///
/// # Errors
/// Such a type within another one, where it is not mended here.
pub(crate) fn in_parquet(name: &str, kind: &DataType) -> Result<Option<DataType>, Failure> {
    Ok(Some(match kind {
        DataType::Date64 => DataType::Date32,
        DataType::Timestamp(TimeUnit::Second, zone) => {
            DataType::Timestamp(TimeUnit::Millisecond, zone.clone())
        }
        DataType::Time32(TimeUnit::Second) => DataType::Time32(TimeUnit::Millisecond),
        other => match within(other) {
            None => return Ok(None),
            Some(inner) => {
                let error = format!(
                    "column `{name}` is {kind}, and Parquet has no {inner}: it would be plain numbers"
                );
                let help = "take --format arrow or jsonl, or make it Date32 or milliseconds first";
                return Err(Failure::usage(error, help));
            }
        },
    }))
}

/// The first such type within a type.
fn within(kind: &DataType) -> Option<&DataType> {
    use DataType::{
        Date64, Dictionary, FixedSizeList, LargeList, LargeListView, List, ListView, Map,
        RunEndEncoded, Struct, Time32, Timestamp,
    };
    match kind {
        Date64 | Timestamp(TimeUnit::Second, _) | Time32(TimeUnit::Second) => Some(kind),
        Dictionary(_, value) => within(value),
        List(field)
        | LargeList(field)
        | ListView(field)
        | LargeListView(field)
        | FixedSizeList(field, _)
        | Map(field, _)
        | RunEndEncoded(_, field) => within(field.data_type()),
        Struct(fields) => fields.iter().find_map(|field| within(field.data_type())),
        _ => None,
    }
}

/// A column as another type of the same values; `row` is the number of its first.
///
/// # Errors
/// A value that the other type does not have: it is not made NULL, nor rounded.
pub(crate) fn recast(array: &ArrayRef, to: &Field, row: u64) -> Result<ArrayRef, Failure> {
    let (name, kind) = (to.name(), to.data_type());
    if let Some(dates) = array.as_primitive_opt::<Date64Type>()
        && *kind == DataType::Date32
    {
        let odd = |at: &usize| dates.is_valid(*at) && dates.value(*at) % DAY != 0;
        if let Some(at) = (0..dates.len()).find(odd) {
            let error = format!(
                "column `{name}`, row {}: the date is {} ms; allowed in Parquet: whole days, multiples of {DAY}",
                row + at as u64,
                dates.value(at)
            );
            return Err(Failure::usage(error, "take --format arrow, or make it a timestamp first"));
        }
    }
    let options = CastOptions { safe: false, ..CastOptions::default() };
    arrow_cast::cast_with_options(array, kind, &options).map_err(|fault| {
        let error = format!("column `{name}` can't be made {kind} from row {row} on: {fault}");
        Failure::usage(error, "take --format arrow, or mend the value first")
    })
}
