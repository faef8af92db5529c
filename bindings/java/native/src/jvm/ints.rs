//! The arrays of a column: its bytes, and where its values end.

use jni_sys::{jbyteArray, jint, jintArray};

use super::{Env, Trouble};

impl Env {
    /// All numbers of an array.
    pub(crate) fn ints(self, array: jintArray) -> Result<Vec<jint>, Trouble> {
        if array.is_null() {
            return Err(Trouble::Bounds);
        }
        let mut numbers = vec![0; self.length(array)];
        let count = jint::try_from(numbers.len()).map_err(|_| Trouble::Bounds)?;
        jni!(self, v1_1, GetIntArrayRegion, array, 0, count, numbers.as_mut_ptr());
        Ok(numbers)
    }

    /// All bytes of an array, for the caller to wipe.
    pub(crate) fn copied(self, array: jbyteArray) -> Result<Vec<u8>, Trouble> {
        if array.is_null() {
            return Err(Trouble::Bounds);
        }
        let mut bytes = vec![0; self.length(array)];
        self.read_checked(array, 0, &mut bytes);
        Ok(bytes)
    }

    /// Writes numbers to the beginning of an array, which has as many.
    pub(crate) fn write_ints(self, array: jintArray, numbers: &[jint]) -> Result<(), Trouble> {
        let count = jint::try_from(numbers.len()).map_err(|_| Trouble::Bounds)?;
        if numbers.len() > self.length(array) {
            return Err(Trouble::Bounds);
        }
        jni!(self, v1_1, SetIntArrayRegion, array, 0, count, numbers.as_ptr());
        Ok(())
    }
}
