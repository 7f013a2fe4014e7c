// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// Who signed, decided as USDC's SignatureChecker and ECRecover decide it: a signer with code is asked, with all the
/// gas there is, and its answer is final; one without code must be what a strict ECDSA recovery yields.
library Fiat1271 {
    function isValidSignatureNow(address signer, bytes32 digest, bytes memory signature) internal view returns (bool) {
        if (signer.code.length == 0) return _recover(digest, signature) == signer;
        (bool answered, bytes memory answer) = signer.staticcall(
            abi.encodeCall(IERC1271.isValidSignature, (digest, signature))
        );
        return
            answered &&
            answer.length >= 32 &&
            abi.decode(answer, (bytes32)) == bytes32(IERC1271.isValidSignature.selector);
    }

    /// A malformed signature reverts with USDC's text instead of answering false.
    function _recover(bytes32 digest, bytes memory signature) private pure returns (address) {
        require(signature.length == 65, "ECRecover: invalid signature length");
        uint8 v = uint8(signature[64]);
        (address signer, ECDSA.RecoverError problem, ) = ECDSA.tryRecover(digest, signature);
        require(problem != ECDSA.RecoverError.InvalidSignatureS, "ECRecover: invalid signature 's' value");
        require(v == 27 || v == 28, "ECRecover: invalid signature 'v' value");
        require(problem == ECDSA.RecoverError.NoError, "ECRecover: invalid signature");
        return signer;
    }
}
